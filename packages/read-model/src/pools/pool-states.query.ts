import {
  type ClickHouseReader,
  defineBinaryQuery,
  defineQuery,
  type RowBinaryReader,
} from '@jetton-analytics/clickhouse';
import { decimalText } from '@jetton-analytics/figures';
import { z } from 'zod';
import { binaryRows, nullable } from '../stores/binary-rows.js';
import { oneThread } from '../stores/one-thread.js';
import type { WrittenAtSource } from '../follow/written-at.js';
import type { Interner } from '../interner.js';
import type { PoolState } from './pool-state.js';

const newestPoolWrite = defineQuery({
  name: 'newestPoolWrite',
  sql: `SELECT toUnixTimestamp64Milli(max(written_at)) AS newest_ms, count() > 0 AS has_rows FROM pool_states_v1`,
  params: z.object({}),
  row: z.object({ newest_ms: z.coerce.number(), has_rows: z.int() }),
});

export const poolStates = defineBinaryQuery({
  name: 'poolStates',
  sql: `SELECT pool, project, discovered_at_s, left_asset, right_asset, reserves_left, reserves_right,
               tvl_usd, tvl_ton, last_updated_s, is_liquid, version
        FROM pool_states_v1 FINAL
        WHERE written_at >= fromUnixTimestamp64Milli({sinceMs: Int64}, 'UTC') AND pool > {afterPool: String}
        ORDER BY pool
        LIMIT {rowsMax: UInt32}
        ${oneThread}`,
  params: z.object({ sinceMs: z.int(), afterPool: z.string(), rowsMax: z.int() }),
  columns: [
    ['pool', 'String'],
    ['project', 'LowCardinality(String)'],
    ['discovered_at_s', 'UInt32'],
    ['left_asset', 'String'],
    ['right_asset', 'String'],
    ['reserves_left', 'Nullable(UInt256)'],
    ['reserves_right', 'Nullable(UInt256)'],
    ['tvl_usd', 'Nullable(Decimal(76, 18))'],
    ['tvl_ton', 'Nullable(Decimal(76, 18))'],
    ['last_updated_s', 'UInt32'],
    ['is_liquid', 'Nullable(UInt8)'],
    ['version', 'UInt256'],
  ],
});

const tvlDecimals = 18;
// Some 10 MB.
const pageRows = 20_000;

const reserve = (row: RowBinaryReader) => nullable(row, () => row.uint256());
const value = (row: RowBinaryReader) => nullable(row, () => decimalText(row.int256(), tvlDecimals));

/** The table of pool states. */
export function poolStateSource(
  reader: ClickHouseReader,
  { of }: Interner,
  rowsMax = pageRows,
): WrittenAtSource<PoolState> {
  const readState = (row: RowBinaryReader): PoolState => ({
    pool: of(row.ascii()),
    project: of(row.string()),
    discoveredAt: row.uint32(),
    leftAsset: of(row.ascii()),
    rightAsset: of(row.ascii()),
    reservesLeft: reserve(row),
    reservesRight: reserve(row),
    tvlUsd: value(row),
    tvlTon: value(row),
    lastUpdated: row.uint32(),
    isLiquid: nullable(row, () => row.uint8() === 1),
    version: row.uint256(),
  });
  return {
    async newest() {
      const [row] = await reader.query(newestPoolWrite, {});
      return row?.has_rows === 1 ? row.newest_ms : undefined;
    },
    async *rowsSince(sinceMs) {
      let afterPool = '';
      for (;;) {
        let count = 0;
        const page = await reader.binary(poolStates, { sinceMs, afterPool, rowsMax });
        for await (const rows of binaryRows(poolStates.name, page, readState)) {
          count += rows.length;
          afterPool = rows.at(-1)?.pool ?? afterPool;
          yield rows;
        }
        if (count < rowsMax) return;
      }
    },
  };
}
