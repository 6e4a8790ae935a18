import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const row = z.object({ minute_s: z.int(), volume: z.string(), amount: z.string() });
const range = z.object({ jetton: z.string(), from: z.int(), to: z.int() });

const pointsOf = (currency: 'ton' | 'usd') => {
  const point = `price_amount_${currency} > 0 AND price_volume_${currency} > 0`;
  const columns = `toUnixTimestamp(minute) AS minute_s, toString(price_volume_${currency}) AS volume,
    toString(price_amount_${currency}) AS amount`;
  return {
    /** The points of a jetton in the minutes of [from, to), pool by pool. */
    between: defineQuery({
      name: `pricePointsBetween${currency}`,
      sql: `SELECT ${columns} FROM pool_trades_per_minute_v1 FINAL
            WHERE jetton = {jetton: String} AND minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
              AND ${point}
            SETTINGS do_not_merge_across_partitions_select_final = 1`,
      params: range,
      row,
    }),
    /** The points of the 60 minutes up to the newest one before a minute, however old. */
    lastBefore: defineQuery({
      name: `lastPricePoints${currency}`,
      sql: `WITH (SELECT max(minute) FROM pool_trades_per_minute_v1 FINAL
                  WHERE jetton = {jetton: String} AND minute < {before: DateTime('UTC')} AND ${point}) AS newest
            SELECT ${columns} FROM pool_trades_per_minute_v1 FINAL
            WHERE jetton = {jetton: String} AND minute > newest - 3600 AND minute <= newest AND ${point}
            SETTINGS do_not_merge_across_partitions_select_final = 1`,
      params: z.object({ jetton: z.string(), before: z.int() }),
      row,
    }),
  };
};

export const pricePoints = { ton: pointsOf('ton'), usd: pointsOf('usd') };
