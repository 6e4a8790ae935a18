import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { bucketCounterparts, priceFigures, tradeFigures } from './bucket-figures.js';

export type BucketKind = 'jetton' | 'pool';

const drawn = z.object({ minute_s: z.int(), jetton: z.string(), pool: z.string() });
const tables = { ledger: 'jetton_legs_v1', rollup: 'pool_trades_per_minute_v1' };

/** The first minute from an instant on that has rows, and one bucket of it, by the salt. */
const bucketFrom = (table: keyof typeof tables) =>
  defineQuery({
    name: `${table}BucketFrom`,
    sql: `SELECT toUnixTimestamp(minute) AS minute_s, jetton, pool FROM ${tables[table]}
          WHERE minute = (SELECT min(minute) FROM ${tables[table]}
            WHERE minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')})
          ORDER BY cityHash64(jetton, pool, {salt: String}) LIMIT 1`,
    params: z.object({ from: z.int(), to: z.int(), salt: z.string() }),
    row: drawn,
  });
/** From the ledger, and from the rollups, so that rows without any leg are met too. */
export const bucketsFrom = [bucketFrom('ledger'), bucketFrom('rollup')] as const;

/** Start of the first minute of the ledger, Unix seconds; 0 where it is empty. */
export const ledgerStart = defineQuery({
  name: 'ledgerStart',
  sql: 'SELECT toUnixTimestamp(min(minute)) AS minute_s FROM jetton_legs_v1',
  params: z.object({}),
  row: z.object({ minute_s: z.int() }),
});

const keyParams = { minutes: z.array(z.int()).min(1), jettons: z.array(z.string()), pools: z.array(z.string()) };
const keysOf = { jetton: 'minute, jetton', pool: 'minute, jetton, pool' };
const isAsked = {
  jetton: `minute IN {minutes: Array(DateTime('UTC'))}
    AND (minute, jetton) IN arrayZip({minutes: Array(DateTime('UTC'))}, {jettons: Array(String)})`,
  pool: `minute IN {minutes: Array(DateTime('UTC'))}
    AND (minute, jetton, pool) IN arrayZip({minutes: Array(DateTime('UTC'))}, {jettons: Array(String)}, {pools: Array(String)})`,
};

const traded = `transactions_buy, transactions_sell, volume_usd_buy, volume_usd_sell, volume_ton_buy, volume_ton_sell,
  finalizeAggregation(traders)`;
const figures = {
  jetton: `toString((${traded}, finalizeAggregation(traders_buy), finalizeAggregation(traders_sell)))`,
  pool: `toString((${traded}, price_volume_ton, price_amount_ton, price_volume_usd, price_amount_usd, arraySort(counterparts)))`,
};
const withoutEpoch = 'toString(bitAnd(version, bitShiftLeft(toUInt256(1), 192) - 1))';
const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

const bucketRow = z.object({
  bucket_s: z.int(),
  jetton: z.string(),
  pool: z.string(),
  figures: z.string(),
  row_version: z.string(),
});
export type BucketRow = z.infer<typeof bucketRow>;

const poolColumn = { jetton: "'' AS pool", pool: 'pool' };
const ledgerFigures = {
  jetton: tradeFigures.jetton,
  pool: `${tradeFigures.pool}, ${priceFigures}, ${bucketCounterparts}`,
};

const minutesOf = (kind: BucketKind) => ({
  /** What the ledger says of minute buckets; the version is the sum of the legs' versions. */
  ledger: defineQuery({
    name: `${kind}MinutesOfLedger`,
    sql: `SELECT toUnixTimestamp(minute) AS bucket_s, jetton, ${poolColumn[kind]}, ${figures[kind]} AS figures, toString(low) AS row_version
          FROM (SELECT ${keysOf[kind]}, ${ledgerFigures[kind]}, sum(version) AS low
            FROM jetton_legs_v1 FINAL WHERE ${isAsked[kind]} GROUP BY ${keysOf[kind]})
          ${settings}`,
    params: z.object({ ...keyParams, quoteAssets: z.array(z.string()), priceMinTradeUsd: z.string() }),
    row: bucketRow,
  }),
  /** What is stored of them; the version is without the epoch. */
  stored: defineQuery({
    name: `${kind}MinutesStored`,
    sql: `SELECT toUnixTimestamp(minute) AS bucket_s, jetton, ${poolColumn[kind]}, ${figures[kind]} AS figures, ${withoutEpoch} AS row_version
          FROM ${kind}_trades_per_minute_v1 FINAL WHERE ${isAsked[kind]} ${settings}`,
    params: z.object(keyParams),
    row: bucketRow,
  }),
});
export const auditedMinutes = { jetton: minutesOf('jetton'), pool: minutesOf('pool') };

export type CoarseGrain = 'hour' | 'day';
const startOf = { hour: 'toStartOfHour(minute)', day: 'toStartOfDay(minute)' };
const sums = [
  'transactions_buy',
  'transactions_sell',
  'volume_usd_buy',
  'volume_usd_sell',
  'volume_ton_buy',
  'volume_ton_sell',
]
  .map((column) => `sum(${column})`)
  .join(', ');
const merged = {
  jetton: `toString((${sums}, uniqExactMerge(traders), uniqExactMerge(traders_buy), uniqExactMerge(traders_sell)))`,
  pool: `toString((${sums}, uniqExactMerge(traders)))`,
};
const storedCoarse = { jetton: figures.jetton, pool: `toString((${traded}))` };

const coarseParams = { starts: z.array(z.int()).min(1), jettons: z.array(z.string()) };

const coarseOf = (kind: BucketKind, grain: CoarseGrain) => ({
  /** What the minutes of hours or days add up to, of some jettons; the version is the sum of theirs. */
  minutes: defineQuery({
    name: `${kind}${grain}sOfMinutes`,
    sql: `SELECT toUnixTimestamp(${startOf[grain]}) AS bucket_s, jetton, ${poolColumn[kind]}, ${merged[kind]} AS figures,
            toString(sum(version)) AS row_version
          FROM ${kind}_trades_per_minute_v1 FINAL
          WHERE ${startOf[grain]} IN {starts: Array(DateTime('UTC'))} AND jetton IN {jettons: Array(String)}
          GROUP BY bucket_s, jetton${kind === 'pool' ? ', pool' : ''} ${settings}`,
    params: z.object(coarseParams),
    row: bucketRow,
  }),
  stored: defineQuery({
    name: `${kind}${grain}sStored`,
    sql: `SELECT toUnixTimestamp(${grain}) AS bucket_s, jetton, ${poolColumn[kind]}, ${storedCoarse[kind]} AS figures,
            toString(version) AS row_version
          FROM ${kind}_trades_per_${grain}_v1 FINAL
          WHERE ${grain} IN {starts: Array(DateTime('UTC'))} AND jetton IN {jettons: Array(String)} ${settings}`,
    params: z.object(coarseParams),
    row: bucketRow,
  }),
});
export const auditedCoarse = {
  jetton: { hour: coarseOf('jetton', 'hour'), day: coarseOf('jetton', 'day') },
  pool: { hour: coarseOf('pool', 'hour'), day: coarseOf('pool', 'day') },
};
