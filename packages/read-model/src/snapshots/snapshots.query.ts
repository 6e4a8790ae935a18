import { defineBinaryQuery, defineQuery } from '@jetton-analytics/clickhouse';
import { Step } from '@jetton-analytics/common';
import { windowsA } from '@jetton-analytics/figures';
import { z } from 'zod';
import { oneThread } from '../stores/one-thread.js';
import { jettonWindow, marketWindow, type WindowForm } from './pack-figures.js';

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
/** Rows of a page, about: some 40 MB. A statement costs the engine 30 ms of work before it reads, so that small pages cost much. */
export const pageRows = 20_000;

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

// Figures come as they are kept (pack-figures.ts): an integer as its significant bytes, the least first, a window as its
// number, and all of them as one text in the layout of RowBinary. Less than half as many bytes as the columns themselves,
// and for the server half of the work that nested columns are when it writes them out one by one.
const packed = (value: string) => `reinterpretAsString(${value})`;
const windowCode = (name: string) => `toUInt8(indexOf(['${windowsA.join("', '")}'], ${name}) - 1)`;
const halves = (name: string) => [`w.${name}_current`, `w.${name}_previous`];
const packedWindows = (form: WindowForm) => {
  const integers = [...form.counts, ...form.decimals].flatMap(halves).map(packed);
  const prices = form.prices
    .flatMap(halves)
    .flatMap((price) => [`toString(${price}.value)`, `toUInt8(${price}.decimals)`]);
  return `arrayMap(w -> tuple(${[windowCode('w.window'), ...integers, ...prices].join(', ')}), windows)`;
};
const packedDays = `arrayMap(d -> tuple(${[
  windowCode('d.window'),
  'toUInt8(d.half)',
  ...['d.day', 'd.buy', 'd.sell'].map(packed),
].join(', ')}), usd_by_day)`;
const asOneText = (...columns: readonly string[]) => `formatRow('RowBinary', ${columns.join(', ')})`;
const jettonFigures = asOneText(
  packedWindows(jettonWindow),
  packed('price_changed_at_ton'),
  packed('price_changed_at_usd'),
  packedDays,
);

// Neither FINAL nor LIMIT 1 BY: the reader keeps the greatest version of a key, which needs no sorting of the table.
export const jettonRows = defineBinaryQuery({
  name: 'jettonRows',
  sql: `SELECT jetton, version, known, ${jettonFigures} AS packed_figures
        FROM jetton_statistics_v1
        WHERE ${range} AND ${span}
        ${oneThread}`,
  params: spanParams,
  columns: [
    ['jetton', 'String'],
    ['version', 'UInt128'],
    ['known', 'UInt8'],
    ['packed_figures', 'String'],
  ],
});

export const marketRows = defineBinaryQuery({
  name: 'marketRows',
  sql: `SELECT jetton, pool, version, known, ${asOneText(packedWindows(marketWindow), 'counterpart')} AS packed_figures
        FROM market_statistics_v1
        WHERE ${range} AND ${span} AND pool != ''
        ${oneThread}`,
  params: spanParams,
  columns: [
    ['jetton', 'String'],
    ['pool', 'String'],
    ['version', 'UInt128'],
    ['known', 'UInt8'],
    ['packed_figures', 'String'],
  ],
});
