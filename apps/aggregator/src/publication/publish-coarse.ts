import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { type PublishedUpTo, rollupGrainSeconds } from '@jetton-analytics/common';
import { bucketRows } from './bucket-records.js';
import {
  type CoarseGrain,
  coarseToPublish,
  type OffsetRange,
  rangeParamsOf,
  touchedBuckets,
} from './bucket-rows.query.js';
import { type BucketPublication, publishBuckets } from './publish-buckets.js';

const datasets = { hour: 'jettonHour', day: 'jettonDay' } as const;
const bucketsPerStatementMax = 72;
const jettonsPerStatementMax = 20_000;
/** Buckets that ended longer ago are not told once more that they have: the reach of the windows. */
const closingSecondsMax = 61 * 86_400;

/** How far the input is durable. */
export interface Reached {
  /** Per partition of the trades topic the next offset whose trades are in the minute rollups. */
  readonly positions: ReadonlyMap<number, string>;
  /** T, Unix seconds. */
  readonly asOf: number;
}

/**
 * Publishes the hours and days, open ones too, of the batches between what is published and what is reached, and those
 * that have ended since, as final. Returns what is published then. Safe to repeat.
 * `assertLeading` throws once somebody else leads; it is asked before each statement.
 */
export async function publishCoarse(
  store: ClickHouseReader,
  publication: BucketPublication,
  from: PublishedUpTo,
  to: Reached,
  assertLeading: () => void,
): Promise<PublishedUpTo> {
  const ranges = rangesOf(from, to);
  for (const grain of ['hour', 'day'] as const) {
    if (ranges.length > 0) {
      assertLeading();
      const touched = await store.query(touchedBuckets(grain, ranges.length), rangeParamsOf(ranges));
      for (const buckets of statementsOf(touched)) {
        assertLeading();
        await publishSome(store, publication, grain, ranges, buckets);
      }
    }
    for (const bucket of closedBetween(grain, from.closedUpTo, to.asOf)) {
      assertLeading();
      await publishSome(store, publication, grain, [], [bucket]);
    }
  }
  return {
    tradesTopic: from.tradesTopic,
    positions: { ...from.positions, ...Object.fromEntries(to.positions) },
    closedUpTo: Math.max(from.closedUpTo, to.asOf),
  };
}

function publishSome(
  store: ClickHouseReader,
  publication: BucketPublication,
  grain: CoarseGrain,
  ranges: readonly OffsetRange[],
  buckets: readonly number[],
): Promise<number> {
  const queries = coarseToPublish(grain, ranges.length);
  const params = { ...rangeParamsOf(ranges), buckets: [...buckets] };
  return publishBuckets(
    {
      dataset: datasets[grain],
      read: async () => bucketRows(datasets[grain], await store.binary(queries.rows, params)),
      versionSum: async () => (await store.query(queries.versions, params))[0]?.version_sum ?? 0n,
    },
    publication,
  );
}

/** A log that was cut begins anew. */
function rangesOf(from: PublishedUpTo, { positions }: Reached): OffsetRange[] {
  return [...positions].flatMap(([partition, to]) => {
    const published = from.positions[partition] ?? '0';
    if (published === to) return [];
    return [{ partition, from: BigInt(published) > BigInt(to) ? '0' : published, to }];
  });
}

/** The buckets in runs that one statement and its rows can take. */
export function statementsOf(touched: readonly { readonly bucket_s: number; readonly jettons: number }[]): number[][] {
  const runs: number[][] = [];
  let jettonsOfRun = Infinity;
  for (const { bucket_s: bucket, jettons } of touched) {
    const run = runs.at(-1);
    jettonsOfRun += jettons;
    if (run !== undefined && run.length < bucketsPerStatementMax && jettonsOfRun <= jettonsPerStatementMax) {
      run.push(bucket);
      continue;
    }
    runs.push([bucket]);
    jettonsOfRun = jettons;
  }
  return runs;
}

/** Starts of the buckets that end in (after, upTo], Unix seconds. */
export function closedBetween(grain: CoarseGrain, after: number, upTo: number): number[] {
  const seconds = rollupGrainSeconds[grain];
  const starts: number[] = [];
  const since = Math.max(after, upTo - closingSecondsMax);
  for (let end = since - (since % seconds) + seconds; end <= upTo; end += seconds) starts.push(end - seconds);
  return starts;
}
