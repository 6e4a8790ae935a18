import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { newestEpoch } from './epochs.query.js';

/** More than this means that rebuilds begin without an end. */
const attemptsMax = 20;

/**
 * Recomputes under one epoch. A statement reads the epoch by itself, but the engine fixes which rows of the ledger it sees
 * before it evaluates that: a recomputation that saw an older ledger could carry a newer epoch, and win against one that
 * saw more. So the epoch is read again once the recomputation is acknowledged, and where it has moved since before, the
 * recomputation is repeated: then its rows were fixed after the epoch was acknowledged, and hold every leg of whoever has
 * recomputed under an older one.
 */
export class EpochGuard {
  #known: bigint | undefined;

  constructor(private readonly store: Pick<ClickHouseReader, 'query'>) {}

  /** Reads the epoch where none is known yet: what a first recomputation would wait for. Rejects with what the store throws. */
  async prepare(): Promise<void> {
    this.#known ??= await this.#read();
  }

  /**
   * Runs the recomputation, once where no rebuild begins meanwhile. It must be safe to repeat. Rejects with what it or the
   * store throws, and with an Error when the epoch moves again and again.
   */
  async run(recompute: () => Promise<unknown>): Promise<void> {
    // What was read after the last recomputation is older than this one: that is enough, and costs no query.
    await this.prepare();
    let before = this.#known;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      await recompute();
      const after = await this.#read();
      this.#known = after;
      if (after === before) return;
      before = after;
    }
    throw new Error(`the rebuild epoch moved ${attemptsMax} times during one recomputation`);
  }

  async #read(): Promise<bigint> {
    return (await this.store.query(newestEpoch, {}))[0]?.newest ?? 0n;
  }
}
