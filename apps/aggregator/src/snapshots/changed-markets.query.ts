import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

/** The buckets that batches of one partition ending in [from, to) touched, with what they hold now. */
export const touchedMarkets = defineQuery({
  name: 'touchedMarkets',
  sql: `SELECT jetton, pool, toUnixTimestamp(minute) AS minute_s, toString(transactions_buy + transactions_sell) AS transactions
        FROM pool_trades_per_minute_v1 FINAL
        WHERE (jetton, minute, pool) IN (
          SELECT jetton, minute, pool FROM touched_buckets_v1
          WHERE kafka_partition = {partition: UInt32} AND last_offset >= {from: UInt64} AND last_offset < {to: UInt64})
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({ partition: z.int(), from: z.string(), to: z.string() }),
  row: z.object({ jetton: z.string(), pool: z.string(), minute_s: z.int(), transactions: z.string() }),
});
export type TouchedMarket = z.infer<(typeof touchedMarkets)['row']>;

/** Markets with a bucket in the minutes from … to, both included: what an anchor that moves over them passes. */
export const marketsInMinutes = defineQuery({
  name: 'marketsInMinutes',
  sql: `SELECT DISTINCT jetton, pool FROM pool_trades_per_minute_v1
        WHERE minute >= {from: DateTime('UTC')} AND minute <= {to: DateTime('UTC')}`,
  params: z.object({ from: z.int(), to: z.int() }),
  row: z.object({ jetton: z.string(), pool: z.string() }),
});
