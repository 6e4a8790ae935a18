import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { bucketVersions } from './bucket-versions.query.js';
import { materialiseDays, materialiseHours } from './closed-rollups.command.js';
import { daySeconds, staleBuckets } from './coverage.js';

/** The longest window with its previous one, and the day that C may lie in. */
const reachSeconds = 61 * daySeconds;
const bucketsPerStatementMax = 72;

/**
 * Materialises the hours and days that ended before T and whose row is missing or older than its minutes, within the
 * reach of the windows. What is stale is found by comparing versions, so nothing has to be remembered. Returns the
 * number of buckets written, all keys of an hour or day counting as one. Safe to repeat and to run twice at once.
 */
export async function materialiseClosed(
  store: ClickHouseWriter,
  asOf: number,
  assertLeading: () => void,
): Promise<number> {
  let written = 0;
  for (const kind of ['jetton', 'pool'] as const) {
    const from = asOf - reachSeconds;
    const versions = await store.query(bucketVersions[kind], { from: from - (from % daySeconds), to: asOf });
    const stale = staleBuckets(versions, asOf);
    for (let start = 0; start < stale.hours.length; start += bucketsPerStatementMax) {
      assertLeading();
      await store.command(materialiseHours[kind], {
        buckets: stale.hours.slice(start, start + bucketsPerStatementMax),
      });
    }
    for (let start = 0; start < stale.days.length; start += bucketsPerStatementMax) {
      assertLeading();
      await store.command(materialiseDays[kind], { buckets: stale.days.slice(start, start + bucketsPerStatementMax) });
    }
    written += stale.hours.length + stale.days.length;
  }
  return written;
}
