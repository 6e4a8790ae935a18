import { createDataSource } from '@jetton-analytics/postgres';
import { Health, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Env } from '../env.js';

/**
 * The connection to PostgreSQL. The process starts without it and is ready once it answers: each look at the readiness
 * tries to connect while there is no connection.
 */
@Injectable()
export class Postgres implements OnModuleInit, OnApplicationShutdown {
  readonly #dataSource: ReturnType<typeof createDataSource>;
  #connecting: Promise<unknown> | undefined;

  constructor(
    @Inject(SETTINGS) settings: Env,
    private readonly health: Health,
  ) {
    this.#dataSource = createDataSource(settings.DATABASE_URL, { application: 'jetton-analytics metrics' });
  }

  onModuleInit(): void {
    this.health.addReadiness('postgres', async () => {
      await this.#connect();
      await this.#dataSource.query('SELECT 1');
      return { ok: true };
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    if (this.#dataSource.isInitialized) await this.#dataSource.destroy();
  }

  async #connect(): Promise<void> {
    if (this.#dataSource.isInitialized) return;
    this.#connecting ??= this.#dataSource.initialize().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }
}
