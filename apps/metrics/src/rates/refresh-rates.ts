import { createDataSource } from '@jetton-analytics/postgres';
import { keepRatesRefreshed } from '@jetton-analytics/rates';
import { Clock, type Logger, LOGGER, pause, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../env.js';

/**
 * Looks for newer rates at FX_RATES_URL, where that is set. Each replica looks by itself: what is there already is not
 * written again. Requests do not wait for it, nor does readiness: the last known rates go on counting.
 */
@Injectable()
export class RefreshRates implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #end = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.FX_RATES_URL !== '') this.#running = this.#run(this.settings.FX_RATES_URL);
  }

  async onApplicationShutdown(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(url: string): Promise<void> {
    const { settings, logger, clock } = this;
    const database = createDataSource(settings.DATABASE_URL, {
      application: 'jetton-analytics rates',
      connectionsMax: 1,
    });
    // Connects when there is something to import, so that a database that is away is tried again like everything else.
    const store = {
      query: async <T>(sql: string, parameters?: unknown[]): Promise<T> => {
        if (!database.isInitialized) await database.initialize();
        return database.query<T>(sql, parameters);
      },
    };
    const intervalMs = settings.FX_REFRESH_SECONDS * 1_000;
    await keepRatesRefreshed({ url, store, clock, logger, intervalMs, pause, signal: this.#end.signal });
    if (database.isInitialized) await database.destroy();
  }
}
