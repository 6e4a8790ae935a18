import {
  type AmountText,
  decimalText,
  formatInstant,
  pow10,
  priceAmount,
  priceAt,
  priceDecimals,
  priceWeights,
  priceWindowMinutes,
  type Rational,
} from '@jetton-analytics/figures';

export type PriceCurrency = 'ton' | 'usd';

/** What one pool says in one minute, before the instant. */
export interface PoolPoint {
  readonly pool: string;
  /** Unix seconds. */
  readonly minute: number;
  /** V, scaled by 10^18, and A in raw units. */
  readonly volume: bigint;
  readonly amount: bigint;
  /** How many priced legs; null: kept from before the ledger begins. */
  readonly legs: number | null;
}

interface ExplainedPoint {
  readonly pool: string | null;
  readonly minute: string;
  readonly legs: number | null;
  /** V as decimal text, A in raw units. */
  readonly volume: string;
  readonly amount: string;
  /** V·W(k), k minutes before the newest point, as an integer scaled by 10^18. */
  readonly weight: string;
  /** 10^decimals × V/A as it would be emitted. */
  readonly price: AmountText;
  readonly isMedian: boolean;
  /** Within a factor of 2 of the median. */
  readonly isCounted: boolean;
}

export interface ExplainedPrice {
  readonly currency: PriceCurrency;
  readonly at: string;
  /** As emitted; value 0: no price. */
  readonly price: AmountText;
  /** Not rounded; absent without a price. */
  readonly exact?: { readonly numerator: string; readonly denominator: string };
  /** In the order of V/A. */
  readonly points: readonly ExplainedPoint[];
}

const volumeScale = 18;
const windowSeconds = priceWindowMinutes * 60;

const natural = (currency: PriceCurrency) => (currency === 'ton' ? priceDecimals.ton : priceDecimals.fiat);
const inUnits = (volume: bigint, amount: bigint, decimals: number): Rational => ({
  numerator: volume * pow10(decimals),
  denominator: amount * pow10(volumeScale),
});
const isSame = (a: Rational, b: Rational) => a.numerator * b.denominator === b.numerator * a.denominator;

/**
 * The price at an instant from its points, step by step as docs/statistics.md says it ("Price of a jetton"): weights, weighted
 * median, the points near it, their average. Exact, and asked of packages/figures as well.
 * Throws an Error where the two differ, which is a bug.
 */
export function explainPrice(
  currency: PriceCurrency,
  at: number,
  points: readonly PoolPoint[],
  decimals: number,
): ExplainedPrice {
  const real = points.filter(({ volume, amount }) => volume > 0n && amount > 0n);
  const newest = Math.max(0, ...real.map(({ minute }) => minute));
  const recent = real
    .filter(({ minute }) => minute > newest - windowSeconds)
    .map((point) => ({ point, w: priceWeights[(newest - point.minute) / 60] ?? 0n }))
    .sort((a, b) => {
      const [left, right] = [a.point.volume * b.point.amount, b.point.volume * a.point.amount];
      return left < right ? -1 : left > right ? 1 : a.point.minute - b.point.minute;
    });
  const total = recent.reduce((sum, { point, w }) => sum + point.volume * w, 0n);
  let running = 0n;
  const median = recent.find(({ point, w }) => {
    running += point.volume * w;
    return 2n * running >= total;
  })?.point;
  const isNear = (point: PoolPoint) =>
    median !== undefined &&
    point.volume * median.amount <= 2n * median.volume * point.amount &&
    median.volume * point.amount <= 2n * point.volume * median.amount;
  const counted = recent.filter(({ point }) => isNear(point));
  const volume = counted.reduce((sum, { point, w }) => sum + point.volume * w, 0n);
  const amount = counted.reduce((sum, { point, w }) => sum + point.amount * w, 0n);
  const price = amount === 0n ? undefined : inUnits(volume, amount, decimals);
  const library = priceAt(real, decimals);
  if (price === undefined ? library !== undefined : library === undefined || !isSame(price, library)) {
    throw new Error(`the price in ${currency} at ${formatInstant(at)}, step by step, is not that of packages/figures`);
  }
  return {
    currency,
    at: formatInstant(at),
    price: priceAmount(price, natural(currency)),
    ...(price !== undefined && {
      exact: { numerator: price.numerator.toString(), denominator: price.denominator.toString() },
    }),
    points: recent.map(({ point, w }) => ({
      pool: point.pool === '' ? null : point.pool,
      minute: formatInstant(point.minute),
      legs: point.legs,
      volume: decimalText(point.volume, volumeScale),
      amount: point.amount.toString(),
      weight: (point.volume * w).toString(),
      price: priceAmount(inUnits(point.volume, point.amount, decimals), natural(currency)),
      isMedian: point === median,
      isCounted: isNear(point),
    })),
  };
}
