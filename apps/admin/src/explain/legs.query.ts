import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

/** A row of the ledger. Integers wider than 32 bits and decimals are text; `trader` and `pool` '' where unknown. */
const LegRow = z.object({
  minute_s: z.int(),
  event_time_s: z.int(),
  pool: z.string(),
  event_id: z.string(),
  side: z.enum(['buy', 'sell']),
  counter_asset: z.string(),
  amount: z.string(),
  counter_amount: z.string(),
  volume_usd: z.string().nullable(),
  volume_ton: z.string().nullable(),
  trader: z.string(),
  project: z.string(),
  tx_hash: z.string(),
  revision: z.int(),
  deleted: z.int(),
  is_trade: z.int(),
  record_time: z.string(),
  version: z.string(),
});
export type LegRow = z.infer<typeof LegRow>;

/** The legs of a jetton in the minutes [from, to), retracted ones too, oldest first. Starts of minutes, Unix seconds. */
export const legsBetween = defineQuery({
  name: 'adminLegsBetween',
  sql: `SELECT toUnixTimestamp(minute) AS minute_s, toUnixTimestamp(event_time) AS event_time_s, pool, event_id, side,
          counter_asset, amount, counter_amount, volume_usd, volume_ton, trader, project, tx_hash, revision, deleted,
          is_trade, record_time, version
        FROM jetton_legs_v1 FINAL
        WHERE jetton = {jetton: String} AND minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
        ORDER BY event_time, event_id, side
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({ jetton: z.string(), from: z.int(), to: z.int() }),
  row: LegRow,
});

/** How many rows of a jetton, replaced ones too, each UTC day of the minutes [from, to) holds; days without any are absent. */
export const legsPerDay = defineQuery({
  name: 'adminLegsPerDay',
  sql: `SELECT toUnixTimestamp(toStartOfDay(minute)) AS day_s, toUInt32(count()) AS legs
        FROM jetton_legs_v1
        WHERE jetton = {jetton: String} AND minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
        GROUP BY day_s ORDER BY day_s`,
  params: z.object({ jetton: z.string(), from: z.int(), to: z.int() }),
  row: z.object({ day_s: z.int(), legs: z.int() }),
});

const priced = `is_trade = 1 AND counter_asset IN {quoteAssets: Array(String)}
  AND ifNull(volume_usd, -1) >= {priceMinTradeUsd: Decimal(76, 18)}`;

/** Start of the newest minute in [from, to) with a priced leg before the instant, per currency; 0: none. */
export const newestPricedMinutes = defineQuery({
  name: 'adminNewestPricedMinutes',
  sql: `SELECT toUnixTimestamp(maxIf(minute, ifNull(volume_ton, 0) > 0)) AS ton_s,
          toUnixTimestamp(maxIf(minute, ifNull(volume_usd, 0) > 0)) AS usd_s
        FROM jetton_legs_v1 FINAL
        WHERE jetton = {jetton: String} AND minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
          AND event_time < {before: DateTime('UTC')} AND ${priced}
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({
    jetton: z.string(),
    from: z.int(),
    to: z.int(),
    before: z.int(),
    quoteAssets: z.array(z.string()),
    priceMinTradeUsd: z.string(),
  }),
  row: z.object({ ton_s: z.int(), usd_s: z.int() }),
});

/** Points that outlive the minutes that retention has dropped. */
export const keptPoints = defineQuery({
  name: 'adminKeptPoints',
  sql: `SELECT currency, toUnixTimestamp(point.minute) AS minute_s, point.pool AS pool, point.volume AS volume,
          point.amount AS amount, point.version AS bucket_version
        FROM kept_price_points_v1 FINAL ARRAY JOIN points AS point
        WHERE jetton = {jetton: String}`,
  params: z.object({ jetton: z.string() }),
  row: z.object({
    currency: z.enum(['ton', 'usd']),
    minute_s: z.int(),
    pool: z.string(),
    volume: z.string(),
    amount: z.string(),
    bucket_version: z.string(),
  }),
});
export type KeptPoint = z.infer<(typeof keptPoints)['row']>;

/** Whether a trade of the jetton was ever seen. */
export const everSeen = defineQuery({
  name: 'adminEverSeen',
  sql: `SELECT jetton FROM pool_trades_per_minute_v1 WHERE jetton = {jetton: String} LIMIT 1
        UNION ALL
        SELECT jetton FROM kept_markets_v1 WHERE jetton = {jetton: String} LIMIT 1`,
  params: z.object({ jetton: z.string() }),
  row: z.object({ jetton: z.string() }),
});
