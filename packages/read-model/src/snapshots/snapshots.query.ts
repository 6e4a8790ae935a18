import { defineQuery } from '@jetton-analytics/clickhouse';
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

export const newerMarkers = defineQuery({
  name: 'newerMarkers',
  sql: `SELECT term, step,
               toString(max(version)) AS newest_version,
               toUnixTimestamp(argMax(calculated_at, version)) AS calculated_at_s,
               toUnixTimestamp(argMax(as_of, version)) AS as_of_s,
               toString(argMax(input_position, version)) AS position
        FROM snapshot_markers_v1
        WHERE term IN (SELECT term FROM snapshot_terms_v1 WHERE clock = {clock: String})
          AND (${Step.options.map(beyond).join('\n           OR ')})
        GROUP BY term, step`,
  params: z.object({
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
  }),
});

const rangeParams = z.object({
  term: z.int(),
  step: Step,
  after: bigintParam,
  upTo: bigintParam,
  /** The last jetton of the page before, '' for the first page. */
  afterJetton: z.string(),
  rowsMax: z.int(),
});
const range = `term = {term: UInt32} AND step = {step: String}
          AND version > {after: UInt128} AND version <= {upTo: UInt128} AND jetton > {afterJetton: String}`;
// Pages, since the embedded engine holds a whole result in memory. With ties, so that all rows of a jetton are on one.
const page = 'ORDER BY jetton LIMIT {rowsMax: UInt32} WITH TIES';
// Tuples as arrays: the names of the fields would be nine tenths of the bytes.
const compact = 'SETTINGS output_format_json_named_tuples_as_objects = 0';

// Neither FINAL nor LIMIT 1 BY: the reader keeps the greatest version of a key, which needs no sorting of the table.
export const jettonRows = defineQuery({
  name: 'jettonRows',
  sql: `SELECT jetton, toString(version) AS row_version, known,
               toJSONString((windows, toUnixTimestamp(price_changed_at_ton), toUnixTimestamp(price_changed_at_usd),
                             usd_by_day)) AS figures
        FROM jetton_statistics_v1
        WHERE ${range}
        ${page}
        ${compact}`,
  params: rangeParams,
  row: z.object({ jetton: z.string(), row_version: bigintText, known: z.int(), figures: z.string() }),
});

export const marketRows = defineQuery({
  name: 'marketRows',
  sql: `SELECT jetton, pool, toString(version) AS row_version, known, toJSONString((windows, counterpart)) AS figures
        FROM market_statistics_v1
        WHERE ${range} AND pool != ''
        ${page}
        ${compact}`,
  params: rangeParams,
  row: z.object({
    jetton: z.string(),
    pool: z.string(),
    row_version: bigintText,
    known: z.int(),
    figures: z.string(),
  }),
});
