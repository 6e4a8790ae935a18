import { pow10, type Rational } from './exact.js';
import { priceWeights, priceWindowMinutes } from './price-weights.js';

/** The priced legs of one pool in one UTC minute, before t, in one currency. */
export interface PricePoint {
  /** Unix seconds, a multiple of 60. */
  readonly minute: number;
  /** V: sum of the legs' volume in the currency, scaled by 10^18. */
  readonly volume: bigint;
  /** A: sum of the jetton's raw amount. */
  readonly amount: bigint;
}

const volumeScale = 18;
const windowSeconds = priceWindowMinutes * 60;

const isPoint = ({ volume, amount }: PricePoint): boolean => volume > 0n && amount > 0n;

function toPrice(volume: bigint, amount: bigint, decimals: number): Rational {
  return decimals >= volumeScale
    ? { numerator: volume * pow10(decimals - volumeScale), denominator: amount }
    : { numerator: volume, denominator: amount * pow10(volumeScale - decimals) };
}

const weightOf = (newest: number, point: PricePoint): bigint =>
  // `recent` below keeps only minutes less than 60 behind the newest: the index is always inside the table
  priceWeights[(newest - point.minute) / 60] as bigint;

/**
 * V/A of the first point, in the order of V/A, at which twice the running sum of the weights V·W reaches the total.
 * Points of equal V/A may stand in any order: whichever of them the sum is reached at, M is their common V/A.
 */
function weightedMedian(points: readonly PricePoint[], newest: number): PricePoint | undefined {
  const ordered = points.toSorted((a, b) => {
    const left = a.volume * b.amount;
    const right = b.volume * a.amount;
    return left < right ? -1 : left > right ? 1 : 0;
  });
  let total = 0n;
  for (const point of ordered) total += point.volume * weightOf(newest, point);
  let running = 0n;
  return ordered.find((point) => {
    running += point.volume * weightOf(newest, point);
    return 2n * running >= total;
  });
}

/**
 * The price of a jetton in the points' currency, exact and not yet rounded: the average of V/A weighted by volume and
 * nearness in time over the last 60 minutes that end with the newest point, without the points further than a factor of
 * 2 from the weighted median. Points in any order; rows without volume or amount are no points; older minutes than the
 * newest 60 are ignored. `decimals` are the jetton's. Undefined: no point, no price.
 * Source: statistics.md, "Price of a jetton".
 */
export function priceAt(points: readonly PricePoint[], decimals: number): Rational | undefined {
  let newest = Number.NEGATIVE_INFINITY;
  for (const point of points) if (point.minute > newest && isPoint(point)) newest = point.minute;
  const recent = points.filter((point) => point.minute > newest - windowSeconds && isPoint(point));
  const median = weightedMedian(recent, newest);
  if (median === undefined) return undefined;
  let volume = 0n;
  let amount = 0n;
  for (const point of recent) {
    const own = point.volume * median.amount;
    const middle = median.volume * point.amount;
    if (2n * own < middle || own > 2n * middle) continue;
    const weight = weightOf(newest, point);
    volume += point.volume * weight;
    amount += point.amount * weight;
  }
  return toPrice(volume, amount, decimals);
}
