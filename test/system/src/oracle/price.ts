import { decimalsOf, isQuote, type Assets } from './assets.js';
import type { Fraction } from './exact.js';
import type { Leg } from './legs.js';

export type PriceCurrency = 'ton' | 'usd';

/** The priced legs of one pool in one UTC minute: V = sum of volume × 10^18, A = sum of raw amount. */
interface Point {
  readonly minute: number;
  readonly volume: bigint;
  readonly amount: bigint;
}

const volumeOf = (leg: Leg, currency: PriceCurrency) => (currency === 'ton' ? leg.volumeTon : leg.volumeUsd);
const minuteOf = ({ eventTime }: Leg) => Math.floor(eventTime / 60);

export function isPriced(leg: Leg, currency: PriceCurrency, assets: Assets): boolean {
  const volume = volumeOf(leg, currency);
  if (volume === null || volume <= 0n || leg.amount <= 0n) return false;
  return isQuote(leg.other, assets) && leg.volumeUsd !== null && leg.volumeUsd >= assets.priceMinTradeUsd;
}

const weights = new Map<number, bigint>();

/** W(k): the greatest integer c with c^5 ≤ 2^(320−k). */
export function weightOf(k: number): bigint {
  const weight = weights.get(k) ?? foundByHalving(k);
  weights.set(k, weight);
  return weight;
}

function foundByHalving(k: number): bigint {
  const limit = 2n ** BigInt(320 - k);
  let low = 0n;
  let high = 2n ** 65n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** 5n <= limit) low = middle;
    else high = middle;
  }
  return low;
}

/** Start of the newest minute before t with a priced leg, Unix seconds; undefined where there is none. */
export function pricedMinute(
  t: number,
  legs: readonly Leg[],
  currency: PriceCurrency,
  assets: Assets,
): number | undefined {
  const known = legs.filter((leg) => leg.eventTime < t && isPriced(leg, currency, assets));
  return known.length === 0 ? undefined : Math.max(...known.map(minuteOf)) * 60;
}

function pointsBefore(t: number, legs: readonly Leg[], currency: PriceCurrency, assets: Assets): Point[] {
  const known = legs.filter((leg) => leg.eventTime < t && isPriced(leg, currency, assets));
  const newest = known.reduce((minute, leg) => Math.max(minute, minuteOf(leg)), -Infinity);
  const points = new Map<string, Point>();
  for (const leg of known) {
    const minute = minuteOf(leg);
    if (minute <= newest - 60) continue;
    const key = `${leg.pool ?? ''} ${minute}`;
    const { volume, amount } = points.get(key) ?? { volume: 0n, amount: 0n };
    points.set(key, { minute, volume: volume + (volumeOf(leg, currency) ?? 0n), amount: amount + leg.amount });
  }
  return [...points.values()];
}

/**
 * price(t) of the jetton whose legs these are, in whole units of the currency for one whole jetton; undefined where
 * there is none (docs/statistics.md, "Price of a jetton").
 */
export function priceAt(
  t: number,
  jetton: string,
  legs: readonly Leg[],
  currency: PriceCurrency,
  assets: Assets,
): Fraction | undefined {
  const points = pointsBefore(t, legs, currency, assets);
  const newest = Math.max(...points.map(({ minute }) => minute));
  const weighted = points.map((point) => ({ ...point, w: weightOf(newest - point.minute) }));
  weighted.sort((a, b) => (a.volume * b.amount < b.volume * a.amount ? -1 : 1));

  const total = weighted.reduce((sum, { volume, w }) => sum + volume * w, 0n);
  let running = 0n;
  const median = weighted.find(({ volume, w }) => {
    running += volume * w;
    return 2n * running >= total;
  });
  if (median === undefined) return undefined;

  // M/2 ≤ V/A ≤ 2·M, without dividing
  const kept = weighted.filter(
    ({ volume, amount }) =>
      2n * volume * median.amount >= median.volume * amount && volume * median.amount <= 2n * median.volume * amount,
  );
  const volumes = kept.reduce((sum, { volume, w }) => sum + volume * w, 0n);
  const amounts = kept.reduce((sum, { amount, w }) => sum + amount * w, 0n);
  return { numerator: 10n ** BigInt(decimalsOf(jetton, assets)) * volumes, denominator: amounts * 10n ** 18n };
}
