import { type ClickHouseReader, defineQuery, jettonSpans } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { minuteOf } from './edges.js';
import { counterpartArray, counterpartFigures, priceFigures } from '@jetton-analytics/rollups';

const Counterpart = z.object({
  asset: z.string(),
  counter_amount: z.string(),
  amount: z.string(),
  last_event_time: z.string(),
  last_event_id: z.string(),
});

/** What one pool and minute (the part before the anchor) says about prices; zeros where a retraction emptied it. */
const PriceInput = z.object({
  jetton: z.string(),
  pool: z.string(),
  minute_s: z.int(),
  price_volume_ton: z.string(),
  price_amount_ton: z.string(),
  price_volume_usd: z.string(),
  price_amount_usd: z.string(),
  counterparts: z.array(Counterpart),
});
export type PriceInput = z.infer<typeof PriceInput>;

const columns = `jetton, pool, toUnixTimestamp(minute) AS minute_s, price_volume_ton, price_amount_ton, price_volume_usd,
  price_amount_usd, counterparts`;
const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

const BetweenInput = PriceInput.extend({ is_part: z.int() });

// One condition per anchor, so that the days in between are not looked at.
function priceInputsUpTo(anchorCount: number) {
  const ranges = Array.from(
    { length: anchorCount },
    (_, index) => `minute >= {from${index}: DateTime('UTC')} AND minute < {to${index}: DateTime('UTC')}`,
  );
  return defineQuery({
    name: 'priceInputsUpTo',
    sql: `SELECT ${columns}, 0 AS is_part FROM pool_trades_per_minute_v1 FINAL
        WHERE (${ranges.join(') OR (')})
        UNION ALL
        SELECT jetton, pool, toUnixTimestamp(minute) AS minute_s, sum(price_volume_ton),
          sum(price_amount_ton), sum(price_volume_usd), sum(price_amount_usd), ${counterpartArray}, 1
        FROM (
          SELECT jetton, pool, minute, counter_asset, ${priceFigures}, ${counterpartFigures}
          FROM jetton_legs_v1 FINAL
          WHERE minute IN {anchorMinutes: Array(DateTime('UTC'))} AND toSecond(event_time) < {anchorSecond: UInt8}
          GROUP BY jetton, pool, minute, counter_asset
        )
        GROUP BY jetton, pool, minute
        ${settings}`,
    params: z.record(z.string(), z.union([z.int(), z.string(), z.array(z.int()), z.array(z.string())])),
    row: BetweenInput,
  });
}

const priceInputsQueries = new Map<number, ReturnType<typeof priceInputsUpTo>>();

/** An instant whose prices are asked for, Unix seconds, and the start of the first minute that is read for it. */
export interface AnchorRange {
  readonly fromMinute: number;
  readonly at: number;
}

/**
 * Of all jettons and per anchor, in order: the whole minutes from `fromMinute` to the anchor's own, and of that one the
 * legs before the anchor. One statement for all; every anchor lies at the same second of a minute.
 */
export async function readPriceInputs(
  reader: ClickHouseReader,
  anchors: readonly AnchorRange[],
  prices: { readonly quoteAssets: readonly string[]; readonly priceMinTradeUsd: string },
): Promise<PriceInput[][]> {
  const query = priceInputsQueries.get(anchors.length) ?? priceInputsUpTo(anchors.length);
  priceInputsQueries.set(anchors.length, query);
  const ranges = anchors.flatMap(({ fromMinute, at }, index) => [
    [`from${index}`, fromMinute] as const,
    [`to${index}`, minuteOf(at)] as const,
  ]);
  const rows = await reader.query(query, {
    ...Object.fromEntries(ranges),
    anchorMinutes: anchors.map(({ at }) => minuteOf(at)),
    anchorSecond: (anchors[0]?.at ?? 0) % 60,
    quoteAssets: [...prices.quoteAssets],
    priceMinTradeUsd: prices.priceMinTradeUsd,
  });
  return anchors.map(({ fromMinute, at }) => {
    const own = minuteOf(at);
    return rows.filter(({ minute_s: minute, is_part: isPart }) =>
      isPart === 1 ? minute === own : minute >= fromMinute && minute < own,
    );
  });
}

// Which jettons a statement reads: those named, or all of a span of the tables' sorting key.
const named = 'jetton IN {jettons: Array(String)}';
const ofSpan = `jetton >= {fromJetton: String} AND ({beforeJetton: String} = '' OR jetton < {beforeJetton: String})`;

// Starts of the anchors' minutes: whole minutes before them are read, of all anchors in one scan, by an aggregate for each.
const anchorMinute = (index: number) => `{anchorMinute${index}: DateTime('UTC')}`;
const lastParams = z.record(z.string(), z.union([z.int(), z.string(), z.array(z.string()).min(1)]));
const perAnchor = (anchorCount: number, sql: (minute: string) => string) =>
  Array.from({ length: anchorCount }, (_, index) => sql(anchorMinute(index))).join(', ');

/**
 * The points of the 60 minutes up to the newest priced minute before each anchor's, per currency, however old; and the
 * points kept of days that were dropped (`is_kept`), of one currency each, which give way to a row of the same minute and
 * pool. Not all of them need lie in the 60 minutes.
 */
const lastPriceInputs = (where: string, anchorCount: number) =>
  defineQuery({
    name: 'lastPriceInputs',
    sql: `SELECT ${columns}, 0 AS is_kept FROM pool_trades_per_minute_v1 FINAL
        INNER JOIN (
          SELECT jetton, [${perAnchor(anchorCount, (anchor) => `maxIf(minute, minute < ${anchor} AND price_amount_ton > 0)`)},
            ${perAnchor(anchorCount, (anchor) => `maxIf(minute, minute < ${anchor} AND price_amount_usd > 0)`)}] AS newest
          FROM pool_trades_per_minute_v1 FINAL
          WHERE ${where}
          GROUP BY jetton
        ) AS lasts USING (jetton)
        WHERE ${where}
          AND arrayExists(last -> minute > last - 3600 AND minute <= last, newest)
        UNION ALL
        SELECT jetton, point.pool, toUnixTimestamp(point.minute), sumIf(point.volume, currency = 'ton'),
          sumIf(point.amount, currency = 'ton'), sumIf(point.volume, currency = 'usd'),
          sumIf(point.amount, currency = 'usd'), [], 1
        FROM kept_price_points_v1 FINAL
        ARRAY JOIN points AS point
        WHERE ${where}
        GROUP BY jetton, point.pool, point.minute
        ${settings}`,
    params: lastParams,
    row: PriceInput.extend({ is_kept: z.int() }),
  });

// Column by column: whole tuples would be compared and copied as what the engine knows least of.
const newestCounting = (anchor: string) => {
  const newest = (column: string) => `argMaxIf(${column}, place, minute < ${anchor})`;
  const values = ['counter_amount', 'amount', 'last_event_time', 'last_event_id'].map(newest).join(', ');
  return `CAST((toUnixTimestamp(maxIf(minute, minute < ${anchor})), ${values}),
    'Tuple(minute_s UInt32, counter_amount UInt256, amount UInt256, last_event_time DateTime(''UTC''), last_event_id FixedString(64))')`;
};

/**
 * Per pool and counter asset, for each anchor in order, the newest minute before the anchor's that has counting legs
 * against it, however old; minute_s 0: none. A row that is still there goes before one that was kept.
 */
const lastCounterparts = (where: string, anchorCount: number) =>
  defineQuery({
    name: 'lastCounterparts',
    sql: `SELECT jetton, pool, asset, [${perAnchor(anchorCount, newestCounting)}] AS newest
        FROM (
          SELECT jetton, pool, minute, toUInt64(toUnixTimestamp(minute)) * 2 + 1 AS place, counterpart.asset AS asset,
            counterpart.counter_amount AS counter_amount, counterpart.amount AS amount,
            counterpart.last_event_time AS last_event_time, counterpart.last_event_id AS last_event_id
          FROM pool_trades_per_minute_v1 FINAL
          ARRAY JOIN counterparts AS counterpart
          WHERE ${where}
          UNION ALL
          SELECT jetton, pool, minute, toUInt64(toUnixTimestamp(minute)) * 2, asset, counter_amount, amount, last_event_time,
            last_event_id
          FROM kept_counting_minutes_v1 FINAL
          WHERE ${where}
        )
        GROUP BY jetton, pool, asset
        ${settings}`,
    params: lastParams,
    row: z.object({
      jetton: z.string(),
      pool: z.string(),
      asset: z.string(),
      newest: z.array(Counterpart.omit({ asset: true }).extend({ minute_s: z.int() })),
    }),
  });

const lastInputsQueries = (anchorCount: number) => ({
  named: { points: lastPriceInputs(named, anchorCount), counterparts: lastCounterparts(named, anchorCount) },
  ofSpan: { points: lastPriceInputs(ofSpan, anchorCount), counterparts: lastCounterparts(ofSpan, anchorCount) },
});
type LastInputsQueries = ReturnType<typeof lastInputsQueries>;
const lastInputsByAnchors = new Map<number, LastInputsQueries>();

/** What prices of some jettons rest on before the anchors' minutes. */
export interface LastInputs {
  readonly points: readonly z.infer<LastInputsQueries['ofSpan']['points']['row']>[];
  readonly counterparts: readonly z.infer<LastInputsQueries['ofSpan']['counterparts']['row']>[];
}

/** A statement binds at most so many addresses, to stay below a server's limit for one parameter (128 KiB). */
export const jettonsPerStatementMax = 1_000;
// Named ones lie in every granule of every day. Of a span some granules of each day are read, the first and the last of
// which hold others too: the longer it is, the less is read twice.
const jettonsPerSpan = 25_000;

/**
 * The last inputs before the anchors' minutes of these jettons, part by part, each jetton in one part. Those of many are
 * read by spans, in which others may lie as well.
 */
export async function* readLastInputs(
  reader: ClickHouseReader,
  jettons: readonly string[],
  anchorMinutes: readonly number[],
): AsyncGenerator<LastInputs> {
  const both = async (
    points: Promise<LastInputs['points']>,
    counterparts: Promise<LastInputs['counterparts']>,
  ): Promise<LastInputs> => {
    const [read, against] = await Promise.all([points, counterparts]);
    return { points: read, counterparts: against };
  };
  if (jettons.length === 0) return;
  const queries = lastInputsByAnchors.get(anchorMinutes.length) ?? lastInputsQueries(anchorMinutes.length);
  lastInputsByAnchors.set(anchorMinutes.length, queries);
  const anchors = Object.fromEntries(anchorMinutes.map((minute, index) => [`anchorMinute${index}`, minute]));
  if (jettons.length <= jettonsPerStatementMax) {
    const params = { ...anchors, jettons: [...jettons] };
    yield both(reader.query(queries.named.points, params), reader.query(queries.named.counterparts, params));
    return;
  }
  for (const span of jettonSpans(Math.ceil(jettons.length / jettonsPerSpan))) {
    const params = { ...anchors, ...span };
    yield both(reader.query(queries.ofSpan.points, params), reader.query(queries.ofSpan.counterparts, params));
  }
}

const TouchedMarket = PriceInput.extend({ transactions: z.string() });
export type TouchedMarket = z.infer<typeof TouchedMarket>;

/** Batches of one partition that end in [from, to). */
export interface TouchedRange {
  readonly partition: number;
  readonly from: string;
  readonly to: string;
}

// One condition per range, so that each is found by the table's key.
function touchedMarketsIn(rangeCount: number) {
  const ranges = Array.from(
    { length: rangeCount },
    (_, index) =>
      `kafka_partition = {partition${index}: UInt32} AND last_offset >= {from${index}: UInt64} AND last_offset < {to${index}: UInt64}`,
  );
  return defineQuery({
    name: 'touchedMarkets',
    sql: `SELECT ${columns}, toString(transactions_buy + transactions_sell) AS transactions
          FROM pool_trades_per_minute_v1 FINAL
          WHERE (jetton, minute, pool) IN (
            SELECT DISTINCT jetton, minute, pool FROM touched_buckets_v1
            WHERE (${ranges.join(') OR (')})
            LIMIT {bucketsMax: UInt32})
          ${settings}`,
    params: z.record(z.string(), z.union([z.int(), z.string()])),
    row: TouchedMarket,
  });
}

const touchedMarketsQueries = new Map<number, ReturnType<typeof touchedMarketsIn>>();

/**
 * The buckets that the batches of these ranges touched, with what they hold now, in one statement; `bucketsMax` of them
 * at most. Each bucket is one row.
 */
export async function readTouchedMarkets(
  reader: ClickHouseReader,
  ranges: readonly TouchedRange[],
  bucketsMax: number,
): Promise<TouchedMarket[]> {
  if (ranges.length === 0) return [];
  const query = touchedMarketsQueries.get(ranges.length) ?? touchedMarketsIn(ranges.length);
  touchedMarketsQueries.set(ranges.length, query);
  const params = ranges.flatMap(({ partition, from, to }, index) => [
    [`partition${index}`, partition] as const,
    [`from${index}`, from] as const,
    [`to${index}`, to] as const,
  ]);
  return reader.query(query, { ...Object.fromEntries(params), bucketsMax });
}
