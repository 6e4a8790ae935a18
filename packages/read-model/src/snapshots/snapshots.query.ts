import { defineBinaryQuery, defineQuery } from '@jetton-analytics/clickhouse';
import { Step } from '@jetton-analytics/common';
import { z } from 'zod';

const bigintText = z.string().regex(/^\d+$/).transform(BigInt);
const bigintParam = z.bigint().transform(String);

export const newestTerm = defineQuery({
  name: 'newestTerm',
  sql: `SELECT term, clock FROM snapshot_terms_v1 ORDER BY term DESC LIMIT 1`,
  params: z.object({}),
  row: z.object({ term: z.int(), clock: z.string() }),
});

// The positions stand in the condition step by step, so that the primary key (term, step, version) is used and a poll
// reads the few newest markers however many there are.
const beyond = (step: Step) =>
  `(step = '${step}' AND (term > {${step}Term: Int64} OR (term = {${step}Term: Int64} AND version > {${step}Version: UInt128})))`;

// What was calculated before another clock took over is left behind, also when its clock comes back: its rows may be gone.
export const newerMarkers = defineQuery({
  name: 'newerMarkers',
  sql: `SELECT term, step,
               toString(max(version)) AS newest_version,
               toUnixTimestamp(argMax(calculated_at, version)) AS calculated_at_s,
               toUnixTimestamp(argMax(as_of, version)) AS as_of_s,
               toString(argMax(input_position, version)) AS position,
               toUInt32(sum(row_count)) AS rows_written
        FROM snapshot_markers_v1
        WHERE term > (SELECT max(term) FROM snapshot_terms_v1 WHERE clock != {clock: String} AND term < {newestTerm: UInt32})
          AND (${Step.options.map(beyond).join('\n           OR ')})
        GROUP BY term, step`,
  params: z.object({
    newestTerm: z.int(),
    clock: z.string(),
    shortTerm: z.int(),
    shortVersion: bigintParam,
    midTerm: z.int(),
    midVersion: bigintParam,
    longTerm: z.int(),
    longVersion: bigintParam,
  }),
  row: z.object({
    term: z.int(),
    step: Step,
    newest_version: bigintText,
    calculated_at_s: z.int(),
    as_of_s: z.int(),
    position: z.string(),
    rows_written: z.int(),
  }),
});

/** Answered from the parts' counts, without reading. */
export const markerCount = defineQuery({
  name: 'markerCount',
  sql: 'SELECT toUInt32(count()) AS marker_count FROM snapshot_markers_v1',
  params: z.object({}),
  row: z.object({ marker_count: z.int() }),
});

const range = `term = {term: UInt32} AND step = {step: String}
          AND version > {after: UInt128} AND version <= {upTo: UInt128}`;
const rangeParams = z.object({ term: z.int(), step: Step, after: bigintParam, upTo: bigintParam });
// A span of jettons: the tables are sorted by them, so that nothing else is read.
const span = `jetton >= {fromJetton: String} AND ({beforeJetton: String} = '' OR jetton < {beforeJetton: String})`;
const spanParams = rangeParams.extend({
  fromJetton: z.string(),
  /** '': to the end. */
  beforeJetton: z.string(),
});

const count = z.coerce.number();
export const jettonRowCount = defineQuery({
  name: 'jettonRowCount',
  sql: `SELECT count() AS row_count FROM jetton_statistics_v1 WHERE ${range}`,
  params: rangeParams,
  row: z.object({ row_count: count }),
});
export const marketRowCount = defineQuery({
  name: 'marketRowCount',
  sql: `SELECT count() AS row_count FROM market_statistics_v1 WHERE ${range}`,
  params: rangeParams,
  row: z.object({ row_count: count }),
});

const halves = (type: string) => (name: string) => [`${name}_current ${type}`, `${name}_previous ${type}`];
const counts = halves('UInt64');
const decimals = halves('Decimal(76, 18)');
const prices = halves('Tuple(value String, decimals UInt8)');
const tuples = (columns: readonly string[]) => `Array(Tuple(window String, ${columns.join(', ')}))`;
const jettonWindows = tuples([
  ...['transactions_buy', 'transactions_sell', 'traders', 'traders_buy', 'traders_sell'].flatMap(counts),
  ...['volume_usd_buy', 'volume_usd_sell', 'volume_ton_buy', 'volume_ton_sell'].flatMap(decimals),
  ...['price_ton', 'price_usd'].flatMap(prices),
]);
const marketWindows = tuples([
  ...['transactions', 'traders'].flatMap(counts),
  ...decimals('volume_usd'),
  ...prices('price_counterpart'),
]);

// Neither FINAL nor LIMIT 1 BY: the reader keeps the greatest version of a key, which needs no sorting of the table.
// Figures come as the columns they are, to be packed by the reader: for the server that is a fifth of the work of JSON.
export const jettonRows = defineBinaryQuery({
  name: 'jettonRows',
  sql: `SELECT jetton, version, known, windows, price_changed_at_ton, price_changed_at_usd, usd_by_day
        FROM jetton_statistics_v1
        WHERE ${range} AND ${span}`,
  params: spanParams,
  columns: [
    ['jetton', 'String'],
    ['version', 'UInt128'],
    ['known', 'UInt8'],
    ['windows', jettonWindows],
    ['price_changed_at_ton', "DateTime('UTC')"],
    ['price_changed_at_usd', "DateTime('UTC')"],
    [
      'usd_by_day',
      tuples(["half Enum8('current' = 1, 'previous' = 2)", 'day Date', 'buy Decimal(76, 18)', 'sell Decimal(76, 18)']),
    ],
  ],
});

export const marketRows = defineBinaryQuery({
  name: 'marketRows',
  sql: `SELECT jetton, pool, version, known, windows, counterpart
        FROM market_statistics_v1
        WHERE ${range} AND ${span} AND pool != ''`,
  params: spanParams,
  columns: [
    ['jetton', 'String'],
    ['pool', 'String'],
    ['version', 'UInt128'],
    ['known', 'UInt8'],
    ['windows', marketWindows],
    ['counterpart', 'String'],
  ],
});
