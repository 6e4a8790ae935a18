import { defineBinaryQuery, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

type Column = readonly [name: string, type: string];

const decimal = 'Decimal(76, 18)';

/** Key and figures of a row, in the order in which readRow takes them. */
const columnsOf = (kind: 'jetton' | 'pool'): readonly Column[] => [
  ['jetton', 'String'],
  ...(kind === 'pool' ? ([['pool', 'String']] as const) : []),
  ['start_s', 'UInt32'],
  ['buys', 'UInt64'],
  ['sells', 'UInt64'],
  ['usd_buy', decimal],
  ['usd_sell', decimal],
  ['ton_buy', decimal],
  ['ton_sell', decimal],
  ['wallets', 'UInt64'],
  ...(kind === 'jetton'
    ? ([
        ['wallets_buy', 'UInt64'],
        ['wallets_sell', 'UInt64'],
      ] as const)
    : ([
        ['price_volume_ton', decimal],
        ['price_amount_ton', 'UInt256'],
        ['price_volume_usd', decimal],
        ['price_amount_usd', 'UInt256'],
      ] as const)),
  ['row_version', 'UInt256'],
];

const traded = `transactions_buy AS buys, transactions_sell AS sells, volume_usd_buy AS usd_buy, volume_usd_sell AS usd_sell,
  volume_ton_buy AS ton_buy, volume_ton_sell AS ton_sell, finalizeAggregation(traders) AS wallets`;
const minuteFigures = {
  jetton: `${traded}, finalizeAggregation(traders_buy) AS wallets_buy, finalizeAggregation(traders_sell) AS wallets_sell`,
  pool: `${traded}, price_volume_ton, price_amount_ton, price_volume_usd, price_amount_usd`,
};
const keys = { jetton: 'jetton', pool: 'jetton, pool' };
const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

/** The batches whose buckets are read: pairs of partition and last offset, and the minutes they span. */
const batchParams = z.object({
  partitions: z.array(z.int()).min(1),
  // bigint: the client writes texts in an array with quotes, which no integer type reads.
  lastOffsets: z.array(z.bigint()).min(1),
  fromMinute: z.int(),
  toMinute: z.int(),
});

const inBatches = (columns: string) => `(minute, ${columns}) IN (
    SELECT minute, ${columns} FROM touched_buckets_v1
    WHERE (kafka_partition, last_offset) IN arrayZip({partitions: Array(UInt32)}, {lastOffsets: Array(UInt64)}))
  AND minute >= {fromMinute: DateTime('UTC')} AND minute <= {toMinute: DateTime('UTC')}`;

/** Buckets named one by one. */
const keyParams = z.object({
  minutes: z.array(z.int()).min(1),
  jettons: z.array(z.string()),
  pools: z.array(z.string()),
});
const keyArrays = {
  jetton: "arrayZip({minutes: Array(DateTime('UTC'))}, {jettons: Array(String)})",
  pool: "arrayZip({minutes: Array(DateTime('UTC'))}, {jettons: Array(String)}, {pools: Array(String)})",
};
const isNamed = (kind: 'jetton' | 'pool') =>
  `minute IN {minutes: Array(DateTime('UTC'))} AND (minute, ${keys[kind]}) IN ${keyArrays[kind]}`;

const minuteRows = <P extends z.ZodType>(kind: 'jetton' | 'pool', where: string, params: P) =>
  defineBinaryQuery({
    name: `${kind}MinutesToPublish`,
    sql: `SELECT ${keys[kind]}, toUnixTimestamp(minute) AS start_s, ${minuteFigures[kind]}, version AS row_version
          FROM ${kind}_trades_per_minute_v1 FINAL WHERE ${where} ${settings}`,
    params,
    columns: columnsOf(kind),
  });
const minuteVersions = <P extends z.ZodType>(kind: 'jetton' | 'pool', where: string, params: P) =>
  defineQuery({
    name: `${kind}MinuteVersions`,
    sql: `SELECT toString(sum(version)) AS version_sum
          FROM ${kind}_trades_per_minute_v1 FINAL WHERE ${where} ${settings}`,
    params,
    row: z.object({ version_sum: z.string().transform(BigInt) }),
  });

/** Minute buckets that batches touched, as the tables hold them. */
const minutes = (kind: 'jetton' | 'pool') => ({
  rows: minuteRows(kind, inBatches(keys[kind]), batchParams),
  versions: minuteVersions(kind, inBatches(keys[kind]), batchParams),
});
export const minutesToPublish = { jetton: minutes('jetton'), pool: minutes('pool') };

/** The same of minute buckets named one by one. */
const namedMinutes = (kind: 'jetton' | 'pool') => ({
  rows: minuteRows(kind, isNamed(kind), keyParams),
  versions: minuteVersions(kind, isNamed(kind), keyParams),
});
export const minutesNamed = { jetton: namedMinutes('jetton'), pool: namedMinutes('pool') };

/** Offsets of the batches of one partition, [from, to). */
export interface OffsetRange {
  readonly partition: number;
  readonly from: string;
  readonly to: string;
}

const inRange = (index: number) =>
  `(kafka_partition = {partition${index}: UInt32} AND last_offset >= {from${index}: UInt64} AND last_offset < {to${index}: UInt64})`;
const inRanges = (count: number) => Array.from({ length: count }, (_, index) => inRange(index)).join(' OR ');
const rangeParams = z.record(z.string(), z.union([z.int(), z.string(), z.array(z.int())]));

export const rangeParamsOf = (ranges: readonly OffsetRange[]): Record<string, number | string> =>
  Object.fromEntries(
    ranges.flatMap(({ partition, from, to }, index) => [
      [`partition${index}`, partition] as const,
      [`from${index}`, from] as const,
      [`to${index}`, to] as const,
    ]),
  );

export type CoarseGrain = 'hour' | 'day';
const startOf = { hour: 'toStartOfHour(minute)', day: 'toStartOfDay(minute)' };

const merged = `sum(transactions_buy) AS buys, sum(transactions_sell) AS sells, sum(volume_usd_buy) AS usd_buy,
  sum(volume_usd_sell) AS usd_sell, sum(volume_ton_buy) AS ton_buy, sum(volume_ton_sell) AS ton_sell,
  uniqExactMerge(traders) AS wallets, uniqExactMerge(traders_buy) AS wallets_buy, uniqExactMerge(traders_sell) AS wallets_sell`;

/** The buckets that batches touched, with how many jettons each. */
export const touchedBuckets = (grain: CoarseGrain, rangeCount: number) =>
  defineQuery({
    name: `${grain}sTouched`,
    sql: `SELECT toUnixTimestamp(${startOf[grain]}) AS bucket_s, toInt32(uniqExact(jetton)) AS jettons
          FROM touched_buckets_v1 WHERE ${inRanges(rangeCount)} GROUP BY bucket_s ORDER BY bucket_s`,
    params: rangeParams,
    row: z.object({ bucket_s: z.int(), jettons: z.int() }),
  });

/**
 * Hours or days, each from one scan of its minutes, open ones too: what the materialised row holds, or will. Of all
 * jettons, or with ranges of those that the batches touched in the bucket. The prewhere is on a column of the key, so
 * that it changes nothing of what FINAL sees of the jettons that are left.
 */
export function coarseToPublish(grain: CoarseGrain, rangeCount: number) {
  const touched = (columns: string) => `SELECT ${columns} FROM touched_buckets_v1 WHERE ${inRanges(rangeCount)}`;
  const scan = `FROM jetton_trades_per_minute_v1 FINAL
          ${rangeCount > 0 ? `PREWHERE jetton IN (${touched('jetton')})` : ''}
          WHERE ${startOf[grain]} IN {buckets: Array(DateTime('UTC'))}
          ${rangeCount > 0 ? `AND (${startOf[grain]}, jetton) IN (${touched(`${startOf[grain]}, jetton`)})` : ''}`;
  return coarseQueries(grain, scan, rangeParams);
}

const coarseQueries = <P extends z.ZodType>(grain: CoarseGrain, scan: string, params: P) => ({
  rows: defineBinaryQuery({
    name: `${grain}sToPublish`,
    sql: `SELECT jetton, toUnixTimestamp(${startOf[grain]}) AS start_s, ${merged}, sum(version) AS row_version
        ${scan} GROUP BY jetton, start_s ${settings}`,
    params,
    columns: columnsOf('jetton'),
  }),
  versions: defineQuery({
    name: `${grain}Versions`,
    sql: `SELECT toString(sum(version)) AS version_sum ${scan} ${settings}`,
    params,
    row: z.object({ version_sum: z.string().transform(BigInt) }),
  }),
});

/** The same of hours or days named one by one: pairs of start and jetton. */
const namedCoarse = (grain: CoarseGrain) =>
  coarseQueries(
    grain,
    `FROM jetton_trades_per_minute_v1 FINAL PREWHERE jetton IN {jettons: Array(String)}
          WHERE ${startOf[grain]} IN {minutes: Array(DateTime('UTC'))} AND (${startOf[grain]}, jetton) IN ${keyArrays.jetton}`,
    keyParams,
  );
export const coarseNamed = { hour: namedCoarse('hour'), day: namedCoarse('day') };
