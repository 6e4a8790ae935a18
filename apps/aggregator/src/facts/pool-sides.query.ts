import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

/** The assets of every pool whose newest state was written at or after an instant of the writer's clock, ms. */
export const poolSidesSince = defineQuery({
  name: 'poolSidesSince',
  sql: `SELECT pool, left_asset, right_asset, toString(toUnixTimestamp64Milli(written_at)) AS written_ms
        FROM pool_states_v1 FINAL
        WHERE written_at >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')`,
  params: z.object({ since: z.int() }),
  row: z.object({ pool: z.string(), left_asset: z.string(), right_asset: z.string(), written_ms: z.string() }),
});
