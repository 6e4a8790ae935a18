import {
  type ClickHouseReader,
  ClickHouseUnavailableError,
  createReader,
  type QueryDefinition,
} from '@jetton-analytics/clickhouse';
import { DomainError, SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { z } from 'zod';
import type { Env } from '../env.js';

const retryAfterSeconds = 2;

/**
 * The ledger and its rollups in ClickHouse, for the few answers that no memory can hold: single transactions, when
 * markets were traded last, and long price charts. Every read has a deadline, and only so many run at once; whoever comes then is told to come back
 * (docs/architecture.md).
 */
@Injectable()
export class HistoryStore implements OnApplicationShutdown {
  readonly #reader: ClickHouseReader;
  #running = 0;

  constructor(@Inject(SETTINGS) private readonly settings: Env) {
    this.#reader = createReader(
      { ...settings, CLICKHOUSE_TIMEOUT_MS: settings.HISTORY_TIMEOUT_MS },
      { application: 'jetton-analytics history', lane: 'read', connectionsMax: settings.HISTORY_QUERIES_MAX },
    );
  }

  /** Throws DomainError: unavailable where the store is away or busy, deadlineExceeded where it is too slow. */
  async query<P extends z.ZodType, R extends z.ZodType>(
    definition: QueryDefinition<P, R>,
    params: z.input<P>,
  ): Promise<z.output<R>[]> {
    if (this.#running >= this.settings.HISTORY_QUERIES_MAX) {
      throw new DomainError('unavailable', 'too many reads of history at once, try again', { retryAfterSeconds });
    }
    this.#running += 1;
    const started = performance.now();
    try {
      return await this.#reader.query(definition, params);
    } catch (error) {
      if (performance.now() - started >= this.settings.HISTORY_TIMEOUT_MS) {
        throw new DomainError('deadlineExceeded', 'reading history took too long', { cause: error });
      }
      // Anything else is a fault of ours and not of the moment.
      if (!(error instanceof ClickHouseUnavailableError)) throw error;
      throw new DomainError('unavailable', 'the history of trades cannot be read now, try again', {
        cause: error,
        retryAfterSeconds,
      });
    } finally {
      this.#running -= 1;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#reader.close();
  }
}
