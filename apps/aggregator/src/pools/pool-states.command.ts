import { defineCommand } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const figures = `project, pool_version, discovered_at_s, left_asset, right_asset, reserves_left, reserves_right,
  total_supply, tvl_usd, tvl_ton, is_liquid, lp_fee, protocol_fee, referral_fee`;

const winner = Array.from({ length: 14 }, (_, index) => `newest.${index + 1}`).join(', ');

/**
 * Writes the newest states of pools: of each (pool, last_updated, record time) named, the message with the greatest
 * bytes among all that the ledger holds. An older state loses by its version, whenever it is written. Repeated rows count
 * once, so the ledger need not be read FINAL.
 */
export const recomputePoolStates = defineCommand({
  name: 'recomputePoolStates',
  sql: `INSERT INTO pool_states_v1 (pool, last_updated_s, record_time, version, written_at, ${figures})
        SELECT pool, last_updated_s, record_time,
          bitShiftLeft(toUInt256(last_updated_s), 64)
            + bitShiftLeft(toUInt256(toUnixTimestamp64Milli(record_time)), 16)
            + least(messages, 65535) AS row_version,
          fromUnixTimestamp64Milli({writtenAtMs: Int64}, 'UTC') AS written,
          ${winner}
        FROM (
          SELECT pool, last_updated_s, record_time, uniqExact(value_hash) AS messages,
            argMax(tuple(${figures}), value) AS newest
          FROM pool_state_changes_v1
          WHERE (pool, last_updated_s, record_time) IN arrayZip(
            {pools: Array(String)}, {lastUpdated: Array(UInt32)},
            arrayMap(ms -> fromUnixTimestamp64Milli(ms, 'UTC'), {recordTimesMs: Array(Int64)}))
          GROUP BY pool, last_updated_s, record_time
        )`,
  params: z.object({
    pools: z.array(z.string()).min(1),
    lastUpdated: z.array(z.int()),
    recordTimesMs: z.array(z.int()),
    writtenAtMs: z.int(),
  }),
});
