import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import type { WrittenAtSource } from '../follow/written-at.js';
import type { Interner } from '../interner.js';
import type { HolderFigures } from './holder-table.js';

const bigintText = z.string().regex(/^\d+$/).transform(BigInt);

const newestHolderWrite = defineQuery({
  name: 'newestHolderWrite',
  sql: `SELECT toUnixTimestamp64Milli(max(written_at)) AS newest_ms, count() > 0 AS has_rows
        FROM jetton_holder_buckets_v1`,
  params: z.object({}),
  row: z.object({ newest_ms: z.coerce.number(), has_rows: z.int() }),
});

// Every shard of a jetton of which one has changed, so that a row is whole and replaces what was known.
const holders = defineQuery({
  name: 'holders',
  sql: `SELECT asset,
               toString(sum(version)) AS version_sum,
               toString(sum(holders)) AS holder_count,
               toString(sum(balance_sum)) AS balances,
               toString(sum(burned_sum)) AS burned,
               toString(arraySum(arraySlice(arrayReverseSort(arrayFlatten(groupArray(top_ten))), 1, 10))) AS greatest,
               max(newest_timestamp_s) AS newest_s
        FROM jetton_holder_buckets_v1 FINAL
        WHERE asset IN (
          SELECT DISTINCT asset FROM jetton_holder_buckets_v1
          WHERE written_at >= fromUnixTimestamp64Milli({sinceMs: Int64}, 'UTC') AND asset > {afterAsset: String}
          ORDER BY asset
          LIMIT {rowsMax: UInt32})
        GROUP BY asset
        ORDER BY asset`,
  params: z.object({ sinceMs: z.int(), afterAsset: z.string(), rowsMax: z.int() }),
  row: z.object({
    asset: z.string(),
    version_sum: bigintText,
    holder_count: bigintText,
    balances: bigintText,
    burned: bigintText,
    greatest: bigintText,
    newest_s: z.int(),
  }),
});

const pageRows = 20_000;

/** The table of holder buckets, summed over the shards. */
export function holderSource(
  reader: ClickHouseReader,
  { of }: Interner,
  rowsMax = pageRows,
): WrittenAtSource<HolderFigures> {
  return {
    async newest() {
      const [row] = await reader.query(newestHolderWrite, {});
      return row?.has_rows === 1 ? row.newest_ms : undefined;
    },
    async *rowsSince(sinceMs) {
      let afterAsset = '';
      for (;;) {
        let count = 0;
        for await (const rows of reader.stream(holders, { sinceMs, afterAsset, rowsMax })) {
          count += rows.length;
          afterAsset = rows.at(-1)?.asset ?? afterAsset;
          yield rows.map((row) => ({
            asset: of(row.asset),
            version: row.version_sum,
            holders: row.holder_count,
            balanceSum: row.balances,
            burnedSum: row.burned,
            topTenSum: row.greatest,
            newestTimestamp: row.newest_s,
          }));
        }
        if (count < rowsMax) return;
      }
    },
  };
}
