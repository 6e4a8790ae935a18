import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const bigintText = z.string().regex(/^\d+$/).transform(BigInt);

/** Counts and sums of a bucket in this order, as text; traders are distinct ones. */
export const bucketColumns = [
  'transactions_buy',
  'transactions_sell',
  'traders',
  'traders_buy',
  'traders_sell',
  'volume_usd_buy',
  'volume_usd_sell',
  'volume_ton_buy',
  'volume_ton_sell',
] as const;

const sums = bucketColumns
  .map((column) => (column.startsWith('traders') ? `toString(finalizeAggregation(${column}))` : `toString(${column})`))
  .join(', ');

const StoredBucket = z.object({
  bucket_s: z.int(),
  bucket_version: bigintText,
  sums: z.array(z.string()).length(bucketColumns.length),
});
export type StoredBucket = z.infer<typeof StoredBucket>;

function buckets(grain: 'minute' | 'hour' | 'day') {
  return defineQuery({
    name: `adminBucketsPer${grain}`,
    sql: `SELECT toUnixTimestamp(${grain}) AS bucket_s, toString(version) AS bucket_version, [${sums}] AS sums
          FROM jetton_trades_per_${grain}_v1 FINAL
          WHERE jetton = {jetton: String} AND ${grain} >= {from: DateTime('UTC')} AND ${grain} < {to: DateTime('UTC')}
          ORDER BY bucket_s
          SETTINGS do_not_merge_across_partitions_select_final = 1`,
    params: z.object({ jetton: z.string(), from: z.int(), to: z.int() }),
    row: StoredBucket,
  });
}

/** The rollups of a jetton whose start lies in [from, to). */
export const storedBuckets = { minute: buckets('minute'), hour: buckets('hour'), day: buckets('day') };

/** What the minutes of the jetton's pools in [from, to) say about its price. */
export const storedPoints = defineQuery({
  name: 'adminStoredPoints',
  sql: `SELECT pool, toUnixTimestamp(minute) AS minute_s, price_volume_ton, price_amount_ton, price_volume_usd,
          price_amount_usd, toString(version) AS bucket_version
        FROM pool_trades_per_minute_v1 FINAL
        WHERE jetton = {jetton: String} AND minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({ jetton: z.string(), from: z.int(), to: z.int() }),
  row: z.object({
    pool: z.string(),
    minute_s: z.int(),
    price_volume_ton: z.string(),
    price_amount_ton: z.string(),
    price_volume_usd: z.string(),
    price_amount_usd: z.string(),
    bucket_version: bigintText,
  }),
});
export type StoredPoint = z.infer<(typeof storedPoints)['row']>;

/**
 * Buckets of the jetton, up to a minute, that batches touched which may have been written after a snapshot: those that
 * end at or behind `lastOffsets` of their partition.
 */
export const touchedSince = defineQuery({
  name: 'adminTouchedSince',
  sql: `SELECT uniqExact(minute, pool) AS touched FROM touched_buckets_v1
        WHERE jetton = {jetton: String} AND minute <= {upTo: DateTime('UTC')}
          AND last_offset >= transform(toInt64(kafka_partition), {partitions: Array(Int64)}, {offsets: Array(Int64)},
            toInt64(0))`,
  params: z.object({
    jetton: z.string(),
    upTo: z.int(),
    partitions: z.array(z.bigint()),
    // bigint: the client writes texts in an array with quotes, which no integer type reads.
    offsets: z.array(z.bigint()),
  }),
  row: z.object({ touched: bigintText }),
});

/** Where the consumption of the trades stood when the leader told last. */
export const tradesPositions = defineQuery({
  name: 'adminTradesPositions',
  sql: `SELECT status FROM input_status_v2 FINAL WHERE topic = {topic: String}`,
  params: z.object({ topic: z.string() }),
  row: z.object({ status: z.string() }),
});
