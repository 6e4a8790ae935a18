import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { Step } from '@jetton-analytics/common';
import { z } from 'zod';

const UsdOfDay = z.tuple([z.string(), z.enum(['current', 'previous']), z.string(), z.string(), z.string()]);

// Not FINAL: a key of another term would hide this term's row. Old versions in the same slot are left out below.
const rowsOf = (
  table: 'jetton_statistics_v1' | 'market_statistics_v1',
  pool: string,
  counterpart: string,
  more: string,
) =>
  defineQuery({
    name: `${table}View`,
    sql: `SELECT jetton, ${pool} AS market_pool, toString(version) AS row_version, known, ${counterpart} AS other_asset,
            toJSONString(windows) AS figures, ${more}
          FROM ${table}
          WHERE term = {term: UInt32} AND step = {step: String}
            AND version <= (SELECT max(version) FROM snapshot_markers_v1
                            WHERE term = {term: UInt32} AND step = {step: String})
          SETTINGS output_format_json_named_tuples_as_objects = 0`,
    params: z.object({ term: z.int(), step: Step }),
    row: z.object({
      jetton: z.string(),
      market_pool: z.string(),
      row_version: z.string(),
      known: z.int(),
      other_asset: z.string(),
      figures: z.string(),
      changed_at: z.tuple([z.int(), z.int()]),
      usd_by_day: z.array(UsdOfDay),
    }),
  });
const jettonRows = rowsOf(
  'jetton_statistics_v1',
  `''`,
  `''`,
  `[toUnixTimestamp(price_changed_at_ton), toUnixTimestamp(price_changed_at_usd)] AS changed_at, usd_by_day`,
);
const marketRows = rowsOf('market_statistics_v1', 'pool', 'counterpart', '[0, 0] AS changed_at, [] AS usd_by_day');

/** A jetton's or market's figures, and of a market the other asset. */
export interface ViewedRow {
  readonly counterpart: string;
  /** Of a jetton, step short: minute of the newest point in ton and in usd, Unix seconds. */
  readonly changedAt: readonly number[];
  /** Of a jetton: window, half, day, buy, sell. */
  readonly usdByDay: readonly z.infer<typeof UsdOfDay>[];
  /** Per window its name, then the columns of the table's tuple. */
  readonly windows: readonly (readonly unknown[])[];
}

/**
 * What readers take for true of one step in one term: of each key the newest row whose snapshot has a marker, unless it
 * says that the key is no longer known. Keys are `jetton|pool`, without a pool `jetton|`.
 */
export async function publishedRows(
  store: ClickHouseReader,
  term: number,
  step: Step,
): Promise<Map<string, ViewedRow>> {
  const rows = (
    await Promise.all([store.query(jettonRows, { term, step }), store.query(marketRows, { term, step })])
  ).flat();
  const newest = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const key = `${row.jetton}|${row.market_pool}`;
    if (BigInt(row.row_version) > BigInt(newest.get(key)?.row_version ?? -1)) newest.set(key, row);
  }
  const known = [...newest].filter(([, row]) => row.known === 1).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    known.map(([key, row]) => [
      key,
      {
        counterpart: row.other_asset,
        changedAt: row.changed_at,
        usdByDay: row.usd_by_day,
        windows: JSON.parse(row.figures) as ViewedRow['windows'],
      },
    ]),
  );
}

/** The fields of one window, by the position in the table's tuple after the name. */
export function windowOf(row: ViewedRow | undefined, window: string): readonly unknown[] | undefined {
  return row?.windows.find(([name]) => name === window)?.slice(1);
}
