import {
  type ClickHouseReader,
  defineBinaryQuery,
  defineQuery,
  jettonSpans,
  type RowBinaryReader,
} from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import type { WrittenAtSource } from '../follow/written-at.js';
import { binaryRows } from '../stores/binary-rows.js';
import { oneThread } from '../stores/one-thread.js';
import { readAhead } from '../stores/read-ahead.js';
import type { Interner } from '../interner.js';
import type { HolderFigures } from './holder-table.js';

const newestHolderWrite = defineQuery({
  name: 'newestHolderWrite',
  sql: `SELECT toUnixTimestamp64Milli(max(written_at)) AS newest_ms, count() > 0 AS has_rows
        FROM jetton_holder_buckets_v1`,
  params: z.object({}),
  row: z.object({ newest_ms: z.coerce.number(), has_rows: z.int() }),
});

// The ten greatest of all shards are the ten least of their complements: groupArraySorted keeps the least, and no more than
// ten of them, where sorting the hundred and sixty took two thirds of the statement.
const holdersWhere = (name: string, assets: string, params: z.ZodObject) =>
  defineBinaryQuery({
    name,
    sql: `SELECT asset,
                 toUInt256(sum(version)) AS version_sum,
                 toUInt64(sum(holders)) AS holder_count,
                 toUInt256(sum(balance_sum)) AS balances,
                 toUInt256(sum(burned_sum)) AS burned,
                 toUInt256(arraySum(x -> bitNot(x),
                   groupArraySortedArray(10)(arrayMap(x -> bitNot(x), top_ten)))) AS greatest,
                 toUInt32(max(newest_timestamp_s)) AS newest_s
          FROM jetton_holder_buckets_v1 FINAL
          WHERE ${assets}
          GROUP BY asset
          ORDER BY asset
          ${oneThread}`,
    params,
    columns: [
      ['asset', 'String'],
      ['version_sum', 'UInt256'],
      ['holder_count', 'UInt64'],
      ['balances', 'UInt256'],
      ['burned', 'UInt256'],
      ['greatest', 'UInt256'],
      ['newest_s', 'UInt32'],
    ],
  });

// Every shard of a jetton of which one has changed, so that a row is whole and replaces what was known.
const changedHolders = holdersWhere(
  'changedHolders',
  `asset IN (
     SELECT DISTINCT asset FROM jetton_holder_buckets_v1
     WHERE written_at >= fromUnixTimestamp64Milli({sinceMs: Int64}, 'UTC') AND asset > {afterAsset: String}
     ORDER BY asset
     LIMIT {rowsMax: UInt32})`,
  z.object({ sinceMs: z.int(), afterAsset: z.string(), rowsMax: z.int() }),
);

// The whole table: spans of its sorting key, for to look up tens of thousands of addresses is as much work as the rest.
export const holdersOfSpan = holdersWhere(
  'holdersOfSpan',
  `asset >= {fromJetton: String} AND ({beforeJetton: String} = '' OR asset < {beforeJetton: String})`,
  z.object({ fromJetton: z.string(), beforeJetton: z.string() }),
);

/** Answered from the parts' counts, without reading. */
const holderBucketCount = defineQuery({
  name: 'holderBucketCount',
  sql: 'SELECT count() AS bucket_count FROM jetton_holder_buckets_v1',
  params: z.object({}),
  row: z.object({ bucket_count: z.coerce.number() }),
});

const pageRows = 20_000;
// Of 16 at most for each jetton.
const bucketsPerSpan = 300_000;

/** The table of holder buckets, summed over the shards. */
export function holderSource(
  reader: ClickHouseReader,
  interner: Interner,
  rowsMax = pageRows,
): WrittenAtSource<HolderFigures> {
  return {
    async newest() {
      const [row] = await reader.query(newestHolderWrite, {});
      return row?.has_rows === 1 ? row.newest_ms : undefined;
    },
    async *rowsSince(sinceMs) {
      const assets = interner.column('jetton');
      const readFigures = (row: RowBinaryReader): HolderFigures => ({
        asset: assets.read(row),
        version: row.uint256(),
        holders: row.uint64(),
        balanceSum: row.uint256(),
        burnedSum: row.uint256(),
        topTenSum: row.uint256(),
        newestTimestamp: row.uint32(),
      });
      if (sinceMs === 0) {
        const [found] = await reader.query(holderBucketCount, {});
        const spans = jettonSpans(Math.max(1, Math.ceil((found?.bucket_count ?? 0) / bucketsPerSpan)));
        const pages = readAhead(spans, (span) => reader.binary(holdersOfSpan, { ...span }));
        for await (const page of pages) yield* binaryRows(holdersOfSpan.name, page, readFigures);
        return;
      }
      let afterAsset = '';
      for (;;) {
        let count = 0;
        const page = await reader.binary(changedHolders, { sinceMs, afterAsset, rowsMax });
        for await (const rows of binaryRows(changedHolders.name, page, readFigures)) {
          count += rows.length;
          afterAsset = rows.at(-1)?.asset ?? afterAsset;
          yield rows;
        }
        if (count < rowsMax) return;
      }
    },
  };
}
