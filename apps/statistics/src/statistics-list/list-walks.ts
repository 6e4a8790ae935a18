import { createClickHousePins, ListWalks } from '@jetton-analytics/list-engine';
import { Clock, LOGGER, type Logger, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { Env } from '../env.js';

/** The walks of this app's lists; their pinned orders are kept in ClickHouse, where other replicas find them. */
@Injectable()
class StatisticsWalks extends ListWalks implements OnApplicationShutdown {
  readonly #pins: ReturnType<typeof createClickHousePins>;

  constructor(@Inject(SETTINGS) settings: Env, @Inject(LOGGER) logger: Logger, clock: Clock) {
    const pins = createClickHousePins(settings, { application: 'jetton-analytics statistics' });
    super({
      secret: settings.CURSOR_SECRET,
      store: pins,
      nowMs: () => clock.now(),
      reuseMs: settings.LIST_REUSE_MS,
      bytesMax: settings.LIST_PINS_BYTES_MAX,
      onStoreError: (error) => logger.warn({ err: error }, 'an order was not pinned in the store'),
    });
    this.#pins = pins;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pins.close();
  }
}

/** Whoever asks for ListWalks gets this app's. */
export const listWalks: Provider[] = [StatisticsWalks, { provide: ListWalks, useExisting: StatisticsWalks }];
