import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

/** The newest minutes of [from, to) in which a jetton has legs, the newest first; a minute may turn out empty. */
export const tradedMinutes = defineQuery({
  name: 'tradedMinutes',
  sql: `SELECT toUnixTimestamp(minute) AS minute_s FROM pool_trades_per_minute_v1
        WHERE jetton = {jetton: String} AND minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
        GROUP BY minute ORDER BY minute DESC LIMIT {minutesMax: UInt32}`,
  params: z.object({ jetton: z.string(), from: z.int(), to: z.int(), minutesMax: z.int() }),
  row: z.object({ minute_s: z.int() }),
});

/**
 * The legs of a jetton in the given minutes that pass the filters (empty: no filter) and come after a place in the order
 * newest first: event time, event id and side, each descending.
 */
export const jettonTransactions = defineQuery({
  name: 'jettonTransactions',
  sql: `SELECT toUnixTimestamp(event_time) AS time_s, toString(event_id) AS event, toString(side) AS side_name,
          toString(tx_hash) AS hash, trader, counter_asset, project, pool, toString(amount) AS raw_amount,
          toString(counter_amount) AS raw_counter_amount
        FROM jetton_legs_v1 FINAL
        WHERE minute IN {minutes: Array(DateTime('UTC'))} AND jetton = {jetton: String} AND is_trade = 1
          AND event_time >= {from: DateTime('UTC')} AND event_time < {to: DateTime('UTC')}
          AND ({side: String} = '' OR toString(side) = {side: String})
          AND ({who: String} = '' OR trader = {who: String})
          AND ({hash: String} = '' OR tx_hash = {hash: String})
          AND ({counterpart: String} = '' OR counter_asset = {counterpart: String})
          AND ({exchangeId: String} = '' OR project = {exchangeId: String})
          AND (toUnixTimestamp(event_time), toString(event_id), toString(side))
            < ({afterTime: UInt32}, {afterEvent: String}, {afterSide: String})
        ORDER BY event_time DESC, event DESC, side_name DESC
        LIMIT {rowsMax: UInt32}
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({
    minutes: z.array(z.int()).min(1),
    jetton: z.string(),
    from: z.int(),
    to: z.int(),
    side: z.enum(['', 'buy', 'sell']),
    who: z.string(),
    hash: z.string(),
    counterpart: z.string(),
    exchangeId: z.string(),
    afterTime: z.int(),
    afterEvent: z.string(),
    afterSide: z.string(),
    rowsMax: z.int(),
  }),
  row: z.object({
    time_s: z.int(),
    event: z.string(),
    side_name: z.enum(['buy', 'sell']),
    hash: z.string(),
    trader: z.string(),
    counter_asset: z.string(),
    project: z.string(),
    pool: z.string(),
    raw_amount: z.string(),
    raw_counter_amount: z.string(),
  }),
});
export type TransactionRow = z.infer<(typeof jettonTransactions)['row']>;
