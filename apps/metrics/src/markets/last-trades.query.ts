import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';
const market = { jetton: z.string(), pools: z.array(z.string()).min(1) };

/** Of each of the pools the newest minute of [from, to) in which the jetton was traded in it, if there is one. */
export const newestTradedMinutes = defineQuery({
  name: 'newestTradedMinutes',
  sql: `SELECT pool, toUnixTimestamp(max(minute)) AS minute_s FROM pool_trades_per_minute_v1 FINAL
        WHERE jetton = {jetton: String} AND pool IN {pools: Array(String)}
          AND minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
          AND transactions_buy + transactions_sell > 0
        GROUP BY pool
        ${settings}`,
  params: z.object({ ...market, from: z.int(), to: z.int() }),
  row: z.object({ pool: z.string(), minute_s: z.int() }),
});

/**
 * Of each of the pools the newest trade before an instant in the given minutes, and among those that retention dropped:
 * in one statement, since what is dropped meanwhile was kept before.
 */
export const newestTrades = defineQuery({
  name: 'newestTrades',
  sql: `SELECT pool, max(at_s) AS last_s FROM (
          SELECT pool, toUnixTimestamp(event_time) AS at_s FROM jetton_legs_v1 FINAL
          WHERE minute IN {minutes: Array(DateTime('UTC'))} AND jetton = {jetton: String}
            AND pool IN {pools: Array(String)} AND is_trade = 1 AND event_time < {before: DateTime('UTC')}
          UNION ALL
          SELECT pool, toUInt32(last_trade_s) AS at_s FROM kept_last_trades_v1
          WHERE jetton = {jetton: String} AND pool IN {pools: Array(String)}
        )
        GROUP BY pool
        ${settings}`,
  params: z.object({ ...market, minutes: z.array(z.int()).min(1), before: z.int() }),
  row: z.object({ pool: z.string(), last_s: z.int() }),
});
