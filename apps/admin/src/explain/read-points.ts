import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { scaledFromDecimal } from '@jetton-analytics/figures';
import { type StoredPoint, storedPoints } from './buckets.query.js';
import type { BucketState } from './check-buckets.js';
import { keptPoints, type KeptPoint, type LegRow, legsBetween, newestPricedMinutes } from './legs.query.js';
import type { PoolPoint, PriceCurrency } from './naive-price.js';

export interface PriceRules {
  /** Unified, native as `ton`. */
  readonly quoteAssets: readonly string[];
  /** Decimal text. */
  readonly priceMinTradeUsd: string;
}

/** A point, and whether the pool's minute row says the same; null: the instant cuts the minute, or it is kept. */
export interface CheckedPoint extends PoolPoint {
  readonly bucket: BucketState | null;
}

const volumeScale = 18;
const windowSeconds = 3_600;
const minuteSeconds = 60;
const lowMask = (1n << 192n) - 1n;
/** 2001-09-09: the feed takes nothing before 2019, and the store reads fewer than ten digits as a date. */
const beforeAllTrades = 1_000_000_000;
/** How far back the newest priced minute is sought, step by step: mostly the first one finds it. */
const reachesSeconds = [3_600, 86_400, 7 * 86_400, 62 * 86_400, Number.POSITIVE_INFINITY];

const scaled = (text: string): bigint => scaledFromDecimal(text, volumeScale);

async function newestMinutes(reader: ClickHouseReader, jetton: string, at: number, rules: PriceRules) {
  const to = Math.ceil(at / minuteSeconds) * minuteSeconds;
  const newest: Record<PriceCurrency, number> = { ton: 0, usd: 0 };
  for (const reach of reachesSeconds) {
    const from = Math.max(beforeAllTrades, to - reach);
    const params = { jetton, from, to, before: at, ...rules, quoteAssets: [...rules.quoteAssets] };
    const [found] = await reader.query(newestPricedMinutes, params);
    newest.ton = found?.ton_s ?? 0;
    newest.usd = found?.usd_s ?? 0;
    if (newest.ton > 0 && newest.usd > 0) break;
  }
  return newest;
}

/** Whether a leg sets a price in the currency. Source: docs/statistics.md, "Price of a jetton". */
function isPriced(leg: LegRow, currency: PriceCurrency, { quoteAssets, priceMinTradeUsd }: PriceRules): boolean {
  const volume = currency === 'ton' ? leg.volume_ton : leg.volume_usd;
  return (
    leg.is_trade === 1 &&
    quoteAssets.includes(leg.counter_asset) &&
    leg.volume_usd !== null &&
    scaled(leg.volume_usd) >= scaled(priceMinTradeUsd) &&
    volume !== null &&
    scaled(volume) > 0n &&
    BigInt(leg.amount) > 0n
  );
}

interface Gathered {
  readonly pool: string;
  readonly minute: number;
  volume: bigint;
  amount: bigint;
  legs: number;
}

function gather(legs: readonly LegRow[], currency: PriceCurrency, rules: PriceRules): Map<string, Gathered> {
  const points = new Map<string, Gathered>();
  for (const leg of legs) {
    if (!isPriced(leg, currency, rules)) continue;
    const key = `${leg.minute_s}|${leg.pool}`;
    const point = points.get(key) ?? { pool: leg.pool, minute: leg.minute_s, volume: 0n, amount: 0n, legs: 0 };
    points.set(key, point);
    point.volume += scaled((currency === 'ton' ? leg.volume_ton : leg.volume_usd) ?? '0');
    point.amount += BigInt(leg.amount);
    point.legs += 1;
  }
  return points;
}

function bucketState(
  point: Gathered,
  currency: PriceCurrency,
  row: StoredPoint | undefined,
  version: bigint,
): BucketState {
  if (row === undefined) return 'missing';
  if ((row.bucket_version & lowMask) !== version) return 'stale';
  const volume = scaled(currency === 'ton' ? row.price_volume_ton : row.price_volume_usd);
  const amount = BigInt(currency === 'ton' ? row.price_amount_ton : row.price_amount_usd);
  return volume === point.volume && amount === point.amount ? 'ok' : 'wrong';
}

async function pointsOf(
  reader: ClickHouseReader,
  jetton: string,
  { at, currency, newest }: { at: number; currency: PriceCurrency; newest: number },
  rules: PriceRules,
): Promise<CheckedPoint[]> {
  if (newest === 0) return [];
  const range = { jetton, from: newest - windowSeconds + minuteSeconds, to: newest + minuteSeconds };
  const [legs, stored] = await Promise.all([reader.query(legsBetween, range), reader.query(storedPoints, range)]);
  const rows = new Map(stored.map((row) => [`${row.minute_s}|${row.pool}`, row]));
  const versions = new Map<string, bigint>();
  for (const leg of legs) {
    const key = `${leg.minute_s}|${leg.pool}`;
    versions.set(key, (versions.get(key) ?? 0n) + BigInt(leg.version));
  }
  const before = legs.filter((leg) => leg.event_time_s < at);
  return [...gather(before, currency, rules)].map(([key, point]) => ({
    ...point,
    bucket:
      point.minute + minuteSeconds > at ? null : bucketState(point, currency, rows.get(key), versions.get(key) ?? 0n),
  }));
}

function kept(points: readonly KeptPoint[], known: readonly CheckedPoint[], currency: PriceCurrency, at: number) {
  const keys = new Set(known.map(({ minute, pool }) => `${minute}|${pool}`));
  return points
    .filter((point) => point.currency === currency && point.minute_s + minuteSeconds <= at)
    .filter((point) => !keys.has(`${point.minute_s}|${point.pool}`))
    .map((point) => ({
      pool: point.pool,
      minute: point.minute_s,
      volume: scaled(point.volume),
      amount: BigInt(point.amount),
      legs: null,
      bucket: null,
    }));
}

/** The points of a jetton before an instant (Unix seconds), per currency, from its legs and from what outlived them. */
export async function readPoints(
  reader: ClickHouseReader,
  jetton: string,
  at: number,
  rules: PriceRules,
): Promise<Record<PriceCurrency, CheckedPoint[]>> {
  const [newest, outlived] = await Promise.all([
    newestMinutes(reader, jetton, at, rules),
    reader.query(keptPoints, { jetton }),
  ]);
  const of = async (currency: PriceCurrency) => {
    const points = await pointsOf(reader, jetton, { at, currency, newest: newest[currency] }, rules);
    return [...points, ...kept(outlived, points, currency, at)];
  };
  const [ton, usd] = await Promise.all([of('ton'), of('usd')]);
  return { ton, usd };
}
