import { defineBinaryQuery, defineQuery } from '@jetton-analytics/clickhouse';
import { Step } from '@jetton-analytics/common';
import { z } from 'zod';

const bigintText = z.string().regex(/^\d+$/).transform(BigInt);
const bigintParam = z.bigint().transform(String);

/** The newest published snapshot of each step, of the newest term that has any. */
export const newestMarkers = defineQuery({
  name: 'newestMarkersToPublish',
  sql: `SELECT term, step, toString(max(version)) AS newest_version, toUnixTimestamp(argMax(as_of, version)) AS as_of_s
        FROM snapshot_markers_v1
        WHERE term = (SELECT max(term) FROM snapshot_markers_v1)
        GROUP BY term, step`,
  params: z.object({}),
  row: z.object({ term: z.int(), step: Step, newest_version: bigintText, as_of_s: z.int() }),
});
export type NewestMarker = z.output<(typeof newestMarkers)['row']>;

const halves = (type: string) => (name: string) => [`${name}_current ${type}`, `${name}_previous ${type}`];
const windows = [
  'window String',
  ...['transactions_buy', 'transactions_sell', 'traders', 'traders_buy', 'traders_sell'].flatMap(halves('UInt64')),
  ...['volume_usd_buy', 'volume_usd_sell', 'volume_ton_buy', 'volume_ton_sell'].flatMap(halves('Decimal(76, 18)')),
  ...['price_ton', 'price_usd'].flatMap(halves('Tuple(value String, decimals UInt8)')),
];

const columns: readonly (readonly [name: string, type: string])[] = [
  ['jetton', 'String'],
  ['version', 'UInt128'],
  ['known', 'UInt8'],
  ['windows', `Array(Tuple(${windows.join(', ')}))`],
];

/** The newest published rows of one step, of jettons named one by one. */
export const statisticsNamed = defineBinaryQuery({
  name: 'statisticsNamed',
  sql: `SELECT jetton, version, known, windows
        FROM jetton_statistics_v1
        WHERE term = {term: UInt32} AND step = {step: String} AND version <= {upTo: UInt128}
          AND jetton IN {jettons: Array(String)}
        ORDER BY jetton, version DESC
        LIMIT 1 BY jetton`,
  params: z.object({ term: z.int(), step: Step, upTo: bigintParam, jettons: z.array(z.string()).min(1) }),
  columns,
});

/** Rows of one step that were published in (after, upTo], of each jetton the newest, in the order of the jettons. */
export const statisticsToPublish = defineBinaryQuery({
  name: 'statisticsToPublish',
  sql: `SELECT jetton, version, known, windows
        FROM jetton_statistics_v1
        WHERE term = {term: UInt32} AND step = {step: String} AND version > {after: UInt128} AND version <= {upTo: UInt128}
          AND jetton > {afterJetton: String}
        ORDER BY jetton, version DESC
        LIMIT 1 BY jetton
        LIMIT {rowsMax: UInt32}`,
  params: z.object({
    term: z.int(),
    step: Step,
    after: bigintParam,
    upTo: bigintParam,
    afterJetton: z.string(),
    rowsMax: z.int(),
  }),
  columns,
});
