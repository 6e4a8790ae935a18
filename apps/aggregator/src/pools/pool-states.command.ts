import { defineCommand } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { keyTable } from '../inputs/key-table.js';

const figures = `project, pool_version, discovered_at_s, left_asset, right_asset, reserves_left, reserves_right,
  total_supply, tvl_usd, tvl_ton, is_liquid, lp_fee, protocol_fee, referral_fee`;

const winner = Array.from({ length: 14 }, (_, index) => `newest.${index + 1}`).join(', ');

const touched = keyTable(`pool String, last_updated_s UInt32, record_time DateTime64(3, 'UTC')`, 'touched');

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
          WHERE (pool, last_updated_s, record_time) IN (${touched})
          GROUP BY pool, last_updated_s, record_time
        )`,
  params: z.object({
    /** Key text: pool, last_updated, record time in seconds with three decimals. */
    touched: z.string().min(1),
    writtenAtMs: z.int(),
  }),
});
