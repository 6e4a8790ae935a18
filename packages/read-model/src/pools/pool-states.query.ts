import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import type { WrittenAtSource } from '../follow/written-at.js';
import type { Interner } from '../interner.js';
import type { PoolState } from './pool-state.js';

const bigintText = z.string().regex(/^\d+$/).transform(BigInt);

const newestPoolWrite = defineQuery({
  name: 'newestPoolWrite',
  sql: `SELECT toUnixTimestamp64Milli(max(written_at)) AS newest_ms, count() > 0 AS has_rows FROM pool_states_v1`,
  params: z.object({}),
  row: z.object({ newest_ms: z.coerce.number(), has_rows: z.int() }),
});

const poolStates = defineQuery({
  name: 'poolStates',
  sql: `SELECT pool, project, discovered_at_s, left_asset, right_asset, reserves_left, reserves_right,
               tvl_usd, tvl_ton, last_updated_s, is_liquid, version
        FROM pool_states_v1 FINAL
        WHERE written_at >= fromUnixTimestamp64Milli({sinceMs: Int64}, 'UTC') AND pool > {afterPool: String}
        ORDER BY pool
        LIMIT {rowsMax: UInt32}`,
  params: z.object({ sinceMs: z.int(), afterPool: z.string(), rowsMax: z.int() }),
  row: z.object({
    pool: z.string(),
    project: z.string(),
    discovered_at_s: z.int(),
    left_asset: z.string(),
    right_asset: z.string(),
    reserves_left: bigintText.nullable(),
    reserves_right: bigintText.nullable(),
    tvl_usd: z.string().nullable(),
    tvl_ton: z.string().nullable(),
    last_updated_s: z.int(),
    is_liquid: z.int().nullable(),
    version: bigintText,
  }),
});

// Some 10 MB.
const pageRows = 20_000;

/** The table of pool states. */
export function poolStateSource(
  reader: ClickHouseReader,
  { of }: Interner,
  rowsMax = pageRows,
): WrittenAtSource<PoolState> {
  return {
    async newest() {
      const [row] = await reader.query(newestPoolWrite, {});
      return row?.has_rows === 1 ? row.newest_ms : undefined;
    },
    async *rowsSince(sinceMs) {
      let afterPool = '';
      for (;;) {
        let count = 0;
        for await (const rows of reader.stream(poolStates, { sinceMs, afterPool, rowsMax })) {
          count += rows.length;
          afterPool = rows.at(-1)?.pool ?? afterPool;
          yield rows.map((row) => ({
            pool: of(row.pool),
            version: row.version,
            project: of(row.project),
            discoveredAt: row.discovered_at_s,
            leftAsset: of(row.left_asset),
            rightAsset: of(row.right_asset),
            reservesLeft: row.reserves_left ?? undefined,
            reservesRight: row.reserves_right ?? undefined,
            tvlUsd: row.tvl_usd ?? undefined,
            tvlTon: row.tvl_ton ?? undefined,
            lastUpdated: row.last_updated_s,
            isLiquid: row.is_liquid === null ? undefined : row.is_liquid === 1,
          }));
        }
        if (count < rowsMax) return;
      }
    },
  };
}
