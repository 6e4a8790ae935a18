import { defineCommand } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const params = z.object({
  /** Start of the day that goes, and of the next one; Unix seconds. */
  from: z.int(),
  to: z.int(),
});
const inDay = `minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}`;
const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

/** The newest minute above bit 224, below it the buckets' versions: a copy that has seen more replaces one of less. */
const rank = (minute: string, version: string) =>
  `bitShiftLeft(toUInt256(toUnixTimestamp(${minute})), 224) + bitShiftRight(${version}, 32)`;

/** Every market (jetton, and pool or '') with a trade in the day. */
export const keepMarkets = defineCommand({
  name: 'keepMarkets',
  sql: `INSERT INTO kept_markets_v1 (jetton, pool)
        SELECT DISTINCT jetton, pool FROM pool_trades_per_minute_v1 FINAL
        WHERE ${inDay} AND transactions_buy + transactions_sell > 0
        ${settings}`,
  params,
});

/** When each market (jetton, and pool or '') was traded last in the day. */
export const keepLastTrades = defineCommand({
  name: 'keepLastTrades',
  sql: `INSERT INTO kept_last_trades_v1 (jetton, pool, last_trade_s)
        SELECT jetton, pool, toUnixTimestamp(max(event_time)) FROM jetton_legs_v1 FINAL
        WHERE ${inDay} AND is_trade = 1
        GROUP BY jetton, pool
        ${settings}`,
  params,
});

const priceWindowSeconds = 3_600;
const isRecent = (last: string) => `minute > ${last} - ${priceWindowSeconds}`;

/**
 * Per jetton and currency the points of the 60 minutes up to the newest among those of the day and those kept before:
 * the newest minute of a day may lie so early that its points begin in the day before.
 */
export const keepPricePoints = defineCommand({
  name: 'keepPricePoints',
  sql: `INSERT INTO kept_price_points_v1 (jetton, currency, points, rank)
        SELECT jetton, currency, arrayFilter(point -> point.1 > newest - ${priceWindowSeconds}, found) AS points,
          ${rank('newest', 'arraySum(arrayMap(point -> bitShiftRight(point.5, 16), points))')}
        FROM (
          SELECT jetton, currency, max(minute) AS newest,
            arraySort(groupArray((minute, pool, point_volume, point_amount, point_version))) AS found
          FROM (
            SELECT jetton, currency, minute, pool, argMax(volume, version) AS point_volume,
              argMax(amount, version) AS point_amount, max(version) AS point_version
            FROM (
              SELECT jetton, priced.1 AS currency, minute, pool, priced.2 AS volume, priced.3 AS amount, version
              FROM (
                SELECT jetton, minute, pool, version, arrayJoin([
                    ('ton', price_volume_ton, price_amount_ton), ('usd', price_volume_usd, price_amount_usd)]) AS priced
                FROM pool_trades_per_minute_v1 FINAL
                INNER JOIN (
                  SELECT jetton, maxIf(minute, price_amount_ton > 0) AS last_ton,
                    maxIf(minute, price_amount_usd > 0) AS last_usd
                  FROM pool_trades_per_minute_v1 FINAL
                  WHERE ${inDay}
                  GROUP BY jetton
                ) AS lasts USING (jetton)
                WHERE ${inDay} AND (${isRecent('last_ton')} OR ${isRecent('last_usd')})
              )
              WHERE priced.2 > 0 AND priced.3 > 0
              UNION ALL
              SELECT jetton, toString(currency) AS currency, point.minute AS minute, point.pool AS pool,
                point.volume AS volume, point.amount AS amount, point.version AS version
              FROM kept_price_points_v1 FINAL
              ARRAY JOIN points AS point
              WHERE jetton IN (SELECT jetton FROM pool_trades_per_minute_v1 WHERE ${inDay})
            )
            GROUP BY jetton, currency, minute, pool
          )
          GROUP BY jetton, currency
        )
        ${settings}`,
  params,
});

/** Each market's newest counting minute of the day, per counter asset. */
export const keepCountingMinutes = defineCommand({
  name: 'keepCountingMinutes',
  sql: `INSERT INTO kept_counting_minutes_v1
          (jetton, pool, asset, minute, counter_amount, amount, last_event_time, last_event_id, rank)
        SELECT jetton, pool, asset, newest.1, newest.2, newest.3, newest.4, newest.5, ${rank('newest.1', 'newest.6')}
        FROM (
          SELECT jetton, pool, counterpart.asset AS asset,
            max((minute, counterpart.counter_amount, counterpart.amount, counterpart.last_event_time,
              counterpart.last_event_id, version)) AS newest
          FROM pool_trades_per_minute_v1 FINAL
          ARRAY JOIN counterparts AS counterpart
          WHERE ${inDay}
          GROUP BY jetton, pool, asset
        )
        ${settings}`,
  params,
});
