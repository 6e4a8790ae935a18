import { defineCommand } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { keyTable } from '../inputs/key-table.js';

const touchedBuckets = keyTable('asset String, shard UInt8', 'touched');
const touchedBalances = keyTable(
  `asset String, shard UInt8, owner String, lt UInt64, record_time DateTime64(3, 'UTC')`,
  'touched',
);

/**
 * Writes the newest balances: of each (asset, owner, lt, record time) named, the message with the greatest bytes among all
 * that the ledger holds. An older balance loses by its version, whenever it is written. Repeated rows count once, so the
 * ledger need not be read FINAL.
 */
export const recomputeBalances = defineCommand({
  name: 'recomputeBalances',
  sql: `INSERT INTO jetton_balances_v1 (asset, shard, owner, lt, record_time, version, amount, timestamp_s)
        SELECT asset, shard, owner, lt, record_time,
          bitShiftLeft(toUInt256(lt), 64)
            + bitShiftLeft(toUInt256(toUnixTimestamp64Milli(record_time)), 16)
            + least(messages, 65535) AS row_version,
          newest.1, newest.2
        FROM (
          SELECT asset, shard, owner, lt, record_time, uniqExact(value_hash) AS messages,
            argMax(tuple(amount, timestamp_s), value) AS newest
          FROM jetton_balance_changes_v1
          WHERE (asset, shard, owner, lt, record_time) IN (${touchedBalances})
          GROUP BY asset, shard, owner, lt, record_time
        )`,
  params: z.object({
    /** Key text: asset, shard, owner, lt, record time in seconds with three decimals. */
    touched: z.string().min(1),
  }),
});

const isBurnt = `(endsWith(owner, concat(':', repeat('0', 64))) OR owner IN {burnAddresses: Array(String)})`;

/**
 * Replaces the buckets (asset × shard) by what the newest balances say now. Figures and version come from one scan of one
 * table, and the epoch is read inside the statement, never cached (docs/adr/0002); an emptied bucket is a row of zeros.
 */
export const recomputeHolderBuckets = defineCommand({
  name: 'recomputeHolderBuckets',
  sql: `INSERT INTO jetton_holder_buckets_v1
          (asset, shard, holders, balance_sum, burned_sum, top_ten, newest_timestamp_s, version, written_at)
        SELECT asset, shard,
          countIf(amount > 0 AND NOT ${isBurnt}),
          sum(amount),
          sumIf(amount, ${isBurnt}),
          arraySlice(arrayReverseSort(groupArrayIf(amount, amount > 0 AND NOT ${isBurnt})), 1, 10),
          max(timestamp_s),
          sum(version) + bitShiftLeft(toUInt256((SELECT max(epoch) FROM rebuild_epochs_v1)), 192) AS bucket_version,
          fromUnixTimestamp64Milli({writtenAtMs: Int64}, 'UTC') AS written
        FROM jetton_balances_v1 FINAL
        WHERE (asset, shard) IN (${touchedBuckets})
        GROUP BY asset, shard`,
  params: z.object({
    /** Key text: asset, shard. */
    touched: z.string().min(1),
    burnAddresses: z.array(z.string()),
    writtenAtMs: z.int(),
  }),
});
