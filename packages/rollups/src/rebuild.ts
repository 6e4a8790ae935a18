import type { ClickHouseReader, ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { daySeconds } from './coverage.js';
import { EpochGuard } from './epoch-guard.js';
import { insertEpoch, newestEpoch } from './epochs.query.js';
import { materialiseRange } from './materialise-closed.js';
import { rebuildJettonMinutes, rebuildPoolMinutes } from './minute-rollups.command.js';
import { ledgerHours, newestAsOf } from './rebuild.query.js';
import { type LedgerHour, rebuildSlices } from './rebuild-slices.js';

// Some two seconds of a pair of statements where each row is a minute of its own: far from the deadline of any. An hour that
// has more is one statement all the same.
const legsPerSlice = 50_000n;

/** Minutes that begin in [from, to), Unix seconds; of one jetton (raw, lower-case), or of all. */
export interface RebuildRange {
  readonly from: number;
  readonly to: number;
  readonly jetton?: string;
}

/** What a rebuild finds in the ledger. */
export interface RebuildPlan {
  /** Starts of hours with rows, Unix seconds, ascending. */
  readonly hours: readonly number[];
  /** Rows of the ledger, those that were replaced and not merged yet counted too. */
  readonly legs: bigint;
}

export interface RebuildOptions {
  readonly quoteAssets: readonly string[];
  readonly priceMinTradeUsd: string;
  readonly by: string;
  readonly reason: string;
  /** The injected clock, Unix seconds. */
  readonly nowS: number;
  /** Told of the hours that are done, of those that have rows. */
  onProgress?(done: number, of: number): void;
}

export interface Rebuilt extends RebuildPlan {
  readonly epoch: bigint;
  /** Hours and days written anew, all their jettons or pools counting as one. */
  readonly coarse: number;
}

/** Hours of the range that have something to recompute. Throws what the store throws. */
export async function planRebuild(store: Pick<ClickHouseReader, 'query'>, range: RebuildRange): Promise<RebuildPlan> {
  return planOf(await hoursOf(store, range));
}

const hoursOf = (store: Pick<ClickHouseReader, 'query'>, { from, to, jetton = '' }: RebuildRange) =>
  store.query(ledgerHours, { from, to, jetton });

const planOf = (rows: readonly LedgerHour[]): RebuildPlan => ({
  hours: rows.map((row) => row.hour_s),
  legs: rows.reduce((sum, row) => sum + row.legs, 0n),
});

/**
 * Recomputes every minute bucket of the range from the ledger under a new epoch, then the hours and days over it that have
 * ended, while aggregators go on. The epoch is acknowledged before the first recomputation reads the ledger, so whatever
 * was computed under the old one, however late it is written, has seen no more and loses; whoever computes later carries
 * the new one and has seen at least as much. Buckets without a row in the ledger are left alone: retention may have taken
 * them. Safe to repeat, to give up half-way and to run twice at once. Throws what the store throws.
 */
export async function rebuild(store: ClickHouseWriter, range: RebuildRange, options: RebuildOptions): Promise<Rebuilt> {
  const { by, reason, nowS, quoteAssets, priceMinTradeUsd } = options;
  const epoch = ((await store.query(newestEpoch, {}))[0]?.newest ?? 0n) + 1n;
  await store.insert(insertEpoch, [[epoch.toString(), nowS, reason, 'started', by]]);
  const rows = await hoursOf(store, range);
  const plan = planOf(rows);
  const guard = new EpochGuard(store);
  let done = 0;
  for (const slice of rebuildSlices(rows, legsPerSlice)) {
    const part = {
      from: Math.max(range.from, slice.from),
      to: Math.min(range.to, slice.to),
      jetton: range.jetton ?? '',
    };
    await guard.run(() =>
      Promise.all([
        store.command(rebuildJettonMinutes, part),
        store.command(rebuildPoolMinutes, { ...part, quoteAssets: [...quoteAssets], priceMinTradeUsd }),
      ]),
    );
    done += slice.hours;
    options.onProgress?.(done, plan.hours.length);
  }
  const coarse = await materialise(store, plan.hours);
  await store.insert(insertEpoch, [[epoch.toString(), nowS, reason, 'finished', by]]);
  return { ...plan, epoch, coarse };
}

/** Whole days around the hours, one at a time: a year of versions would be a large answer. */
async function materialise(store: ClickHouseWriter, hours: readonly number[]): Promise<number> {
  const [newest] = await store.query(newestAsOf, {});
  // Before the first snapshot nobody reads hours and days; the leader writes them.
  if (newest === undefined || newest.as_of_s === 0) return 0;
  const days = new Set(hours.map((hour) => hour - (hour % daySeconds)));
  let written = 0;
  for (const day of days) {
    const range = { from: day, to: day + daySeconds };
    const hoursWritten = await materialiseRange(store, range, newest.as_of_s, () => undefined);
    // A day is written once all of its hours are current.
    const dayWritten = hoursWritten === 0 ? 0 : await materialiseRange(store, range, newest.as_of_s, () => undefined);
    written += hoursWritten + dayWritten;
  }
  return written;
}
