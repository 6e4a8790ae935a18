import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { type BucketVersion, bucketVersions } from './bucket-versions.query.js';
import { materialiseDays, materialiseHours } from './closed-rollups.command.js';
import { daySeconds, staleBuckets } from './coverage.js';

/** The longest window with its previous one, and the day that C may lie in. */
const reachSeconds = 61 * daySeconds;
const bucketsPerStatementMax = 72;
// A statement holds about a kilobyte per row: far from the memory that one may take.
const rowsPerStatementMax = 200_000;

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
    const versions = await store.query(bucketVersions[kind], range);
    const stale = staleBuckets(versions, closedBefore);
    for (const buckets of inStatements(
      stale.hours,
      rowsRead(versions, 'minute', (hour) => hour),
    )) {
      assertAllowed();
      await store.command(materialiseHours[kind], { buckets });
    }
    for (const buckets of inStatements(stale.days, rowsRead(versions, 'hour', startOfDay))) {
      assertAllowed();
      await store.command(materialiseDays[kind], { buckets });
    }
    written += stale.hours.length + stale.days.length;
  }
  return written;
}

/** Rows of a finer grain that each bucket is made of. */
function rowsRead(versions: readonly BucketVersion[], from: 'minute' | 'hour', bucketOf: (start: number) => number) {
  const rows = new Map<number, number>();
  for (const { grain, bucket_s, row_count } of versions) {
    if (grain === from) rows.set(bucketOf(bucket_s), (rows.get(bucketOf(bucket_s)) ?? 0) + row_count);
  }
  return rows;
}

/**
 * Ascending buckets by statement: as many as have at most 200,000 rows together, and no more than 72; one that has more rows
 * is a statement of its own.
 */
export function inStatements(buckets: readonly number[], rows: ReadonlyMap<number, number>): number[][] {
  const statements: { buckets: number[]; rows: number }[] = [];
  for (const bucket of buckets) {
    const own = rows.get(bucket) ?? 0;
    const last = statements.at(-1);
    if (last && last.rows + own <= rowsPerStatementMax && last.buckets.length < bucketsPerStatementMax) {
      last.buckets.push(bucket);
      last.rows += own;
    } else statements.push({ buckets: [bucket], rows: own });
  }
  return statements.map((statement) => statement.buckets);
}
