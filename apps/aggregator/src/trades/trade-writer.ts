import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import type { Leg } from '@jetton-analytics/feed';
import { type OwnedBatch, Rounds } from '../inputs/rounds.js';
import { FirstTrades } from '../ledger/first-trades.js';
import { insertLegs, legRows } from '../ledger/leg-rows.js';
import { insertTouchedBuckets, touchedRows } from '../ledger/touched-buckets.js';
import { EpochGuard, recomputeJettonMinutes, recomputePoolMinutes } from '@jetton-analytics/rollups';

/** Legs of one batch of one partition. */
export interface LegBatch extends OwnedBatch {
  readonly partition: number;
  readonly lastOffset: string;
  readonly legs: readonly Leg[];
  /** Many more messages are waiting behind this batch. */
  readonly isBehind?: boolean;
}

export interface TradeWriterOptions {
  readonly quoteAssets: readonly string[];
  readonly priceMinTradeUsd: string;
  /** Most legs written in one round; a single batch may be larger. */
  readonly legsPerRoundMax: number;
  /**
   * Least time from the beginning of one round to that of the next, by whether many messages wait: a small round costs
   * the store about what a large one costs. 0 where there is none.
   */
  readonly roundPeriodMs?: { readonly live: number; readonly behind: number };
  /** The injected clock, ms since 1970. */
  nowMs(): number;
  /** Told how long each part of a round took. */
  onRound?(round: { legs: number; ledgerMs: number; rollupsMs: number }): void;
}

/** A round waits this long for the batches of other partitions, which one fetch brings: few large rounds cost least. */
const gatherMs = 30;
const jettonsRememberedMax = 200_000;

/**
 * Writes batches of legs to the ledger and recomputes the minute buckets they touch. Batches of several partitions that
 * wait at the same moment share one round, so that a backlog is written in few large statements.
 */
export class TradeWriter {
  readonly #rounds: Rounds<LegBatch>;
  #lastStartMs = Number.NEGATIVE_INFINITY;
  readonly #firstTrades: FirstTrades;
  readonly #epochs: EpochGuard;

  constructor(
    private readonly store: ClickHouseWriter,
    private readonly options: TradeWriterOptions,
  ) {
    this.#firstTrades = new FirstTrades(store, jettonsRememberedMax);
    this.#epochs = new EpochGuard(store);
    this.#rounds = new Rounds({
      gather: (waiting) => this.#gather(waiting),
      size: { of: ({ legs }) => legs.length, max: options.legsPerRoundMax },
      run: (batches) => this.#writeRound(batches),
    });
  }

  /** Resolves when the legs and all buckets they touch are acknowledged. Repeating it changes nothing. */
  write(batch: LegBatch): Promise<void> {
    return this.#rounds.take(batch);
  }

  /** Batches of one fetch come one after another: what is about to come is waited for. */
  async #gather(waiting: () => readonly LegBatch[]): Promise<void> {
    const { legsPerRoundMax, roundPeriodMs: periodMs = { live: 0, behind: 0 } } = this.options;
    await nextTurn();
    const legs = waiting().reduce((sum, batch) => sum + batch.legs.length, 0);
    const isBehind = waiting().some((batch) => batch.isBehind);
    const restMs = this.#lastStartMs + (isBehind ? periodMs.behind : periodMs.live) - performance.now();
    if (legs < legsPerRoundMax) await sleep(Math.max(gatherMs, restMs));
    this.#lastStartMs = performance.now();
  }

  async #writeRound(batches: readonly LegBatch[]): Promise<void> {
    const legs = batches.flatMap((batch) => batch.legs);
    if (legs.length === 0) return;
    const started = performance.now();
    const nowMs = this.options.nowMs();
    await Promise.all([
      this.store.insertBinary(insertLegs, legRows(legs)),
      this.store.insertBinary(insertTouchedBuckets, touchedRows(batches, nowMs)),
      this.#firstTrades.write(legs, nowMs),
      this.#epochs.prepare(),
    ]);
    const ledgerDone = performance.now();
    for (const batch of batches) batch.assertOwned();
    const keys = {
      partitions: batches.map((batch) => batch.partition),
      lastOffsets: batches.map((batch) => BigInt(batch.lastOffset)),
      fromMinute: legs.reduce((least, leg) => Math.min(least, leg.minute), Number.MAX_SAFE_INTEGER),
      toMinute: legs.reduce((greatest, leg) => Math.max(greatest, leg.minute), 0),
    };
    await this.#epochs.run(() =>
      Promise.all([
        this.store.command(recomputeJettonMinutes, keys),
        this.store.command(recomputePoolMinutes, {
          ...keys,
          quoteAssets: [...this.options.quoteAssets],
          priceMinTradeUsd: this.options.priceMinTradeUsd,
        }),
      ]),
    );
    this.options.onRound?.({
      legs: legs.length,
      ledgerMs: ledgerDone - started,
      rollupsMs: performance.now() - ledgerDone,
    });
  }
}
