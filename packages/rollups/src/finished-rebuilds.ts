import { type ClickHouseReader, isApplied } from '@jetton-analytics/clickhouse';
import { finishedRebuilds } from './epochs.query.js';

/** The migration that tells finished rebuilds from begun ones. */
const toldSince = 10;

/**
 * How many rebuilds have finished: it rises when the figures of buckets may have changed without a trade. On a schema
 * that does not tell them yet there are none: a rebuild is refused there.
 */
export class FinishedRebuilds {
  #areTold = false;

  constructor(private readonly store: Pick<ClickHouseReader, 'query'>) {}

  /** Throws what the store throws. */
  async count(): Promise<number> {
    this.#areTold ||= await isApplied(this.store, toldSince);
    if (!this.#areTold) return 0;
    return (await this.store.query(finishedRebuilds, {}))[0]?.finished ?? 0;
  }
}
