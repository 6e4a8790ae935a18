import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { bucketVersions } from './bucket-versions.query.js';
import { materialiseDays, materialiseHours } from './closed-rollups.command.js';
import { daySeconds, staleBuckets } from './coverage.js';

/** The longest window with its previous one, and the day that C may lie in. */
const reachSeconds = 61 * daySeconds;
const bucketsPerStatementMax = 72;

const startOfDay = (seconds: number) => seconds - (seconds % daySeconds);

/**
 * Materialises the hours and days that ended before T and whose row is missing or older than its minutes, within the
 * reach of the windows. What is stale is found by comparing versions, so nothing has to be remembered. Returns the
 * number of buckets written, all keys of an hour or day counting as one. Safe to repeat and to run twice at once.
 */
export function materialiseClosed(store: ClickHouseWriter, asOf: number, assertLeading: () => void): Promise<number> {
  return materialiseRange(store, { from: startOfDay(asOf - reachSeconds), to: asOf }, asOf, assertLeading);
}

/**
 * The same for the hours and days that begin in [from, to), Unix seconds; `from` is the start of a day. Only those that
 * ended at or before `closedBefore`.
 */
export async function materialiseRange(
  store: ClickHouseWriter,
  range: { readonly from: number; readonly to: number },
  closedBefore: number,
  assertAllowed: () => void,
): Promise<number> {
  let written = 0;
  for (const kind of ['jetton', 'pool'] as const) {
    const stale = staleBuckets(await store.query(bucketVersions[kind], range), closedBefore);
    for (let start = 0; start < stale.hours.length; start += bucketsPerStatementMax) {
      assertAllowed();
      await store.command(materialiseHours[kind], {
        buckets: stale.hours.slice(start, start + bucketsPerStatementMax),
      });
    }
    for (let start = 0; start < stale.days.length; start += bucketsPerStatementMax) {
      assertAllowed();
      await store.command(materialiseDays[kind], { buckets: stale.days.slice(start, start + bucketsPerStatementMax) });
    }
    written += stale.hours.length + stale.days.length;
  }
  return written;
}
