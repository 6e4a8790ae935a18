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

interface RatedPoint extends PricePoint {
  /** V/A to some 15 digits; NaN outside the range of floats. It only saves exact comparisons that it can decide. */
  readonly ratio: number;
}

const volumeScale = 18;
const windowSeconds = priceWindowMinutes * 60;

// The ratio of two rounded integers is off by less than 4 × 2^-53: a wider gap than this is certain.
const below = 1 - 1e-12;
const above = 1 + 1e-12;
const ratioMax = 1e300;

const isPoint = ({ volume, amount }: PricePoint): boolean => volume > 0n && amount > 0n;

function ratioOf({ volume, amount }: PricePoint): number {
  const ratio = Number(volume) / Number(amount);
  return ratio > 1 / ratioMax && ratio < ratioMax ? ratio : Number.NaN;
}

/** The order of V/A, exact. */
function compareRatios(a: RatedPoint, b: RatedPoint): number {
  if (a.ratio < b.ratio * below) return -1;
  if (a.ratio > b.ratio * above) return 1;
  const left = a.volume * b.amount;
  const right = b.volume * a.amount;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether V/A of a is at most twice that of b, exact. */
function isAtMostTwice(a: RatedPoint, b: RatedPoint): boolean {
  if (a.ratio < 2 * b.ratio * below) return true;
  if (a.ratio > 2 * b.ratio * above) return false;
  return a.volume * b.amount <= 2n * b.volume * a.amount;
}

/** Whether the greatest ratio is certainly at most twice the least; NaN makes nothing certain. */
function isWithinTwice(ratios: readonly number[]): boolean {
  let least = Number.POSITIVE_INFINITY;
  let greatest = 0;
  for (const ratio of ratios) {
    least = Math.min(least, ratio);
    greatest = Math.max(greatest, ratio);
  }
  return greatest < 2 * least * below;
}

function toPrice(volume: bigint, amount: bigint, decimals: number): Rational {
  return decimals >= volumeScale
    ? { numerator: volume * pow10(decimals - volumeScale), denominator: amount }
    : { numerator: volume, denominator: amount * pow10(volumeScale - decimals) };
}

/** W of a minute of the window, so 0 to 59 minutes before the newest: always inside the table. */
const weightOf = (newest: number, minute: number): bigint => priceWeights[(newest - minute) / 60] as bigint;

/**
 * V/A of the first point, in the order of V/A, at which twice the running sum of the weights V·W reaches the total.
 * Points of equal V/A may stand in any order: whichever of them the sum is reached at, M is their common V/A.
 */
function weightedMedian(points: RatedPoint[], newest: number): RatedPoint | undefined {
  const ordered = points.toSorted(compareRatios);
  const weights = ordered.map(({ volume, minute }) => volume * weightOf(newest, minute));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  let running = 0n;
  const index = weights.findIndex((weight) => {
    running += weight;
    return 2n * running >= total;
  });
  return ordered[index];
}

/** Σ V·W / Σ A·W. The sums of a minute are weighted at once: most points follow one of the same minute. */
function weightedAverage(points: readonly PricePoint[], newest: number, decimals: number): Rational {
  let volume = 0n;
  let amount = 0n;
  let minute = newest;
  let minuteVolume = 0n;
  let minuteAmount = 0n;
  for (const point of points) {
    if (point.minute !== minute) {
      const weight = weightOf(newest, minute);
      volume += minuteVolume * weight;
      amount += minuteAmount * weight;
      ({ minute } = point);
      minuteVolume = 0n;
      minuteAmount = 0n;
    }
    minuteVolume += point.volume;
    minuteAmount += point.amount;
  }
  const weight = weightOf(newest, minute);
  return toPrice(volume + minuteVolume * weight, amount + minuteAmount * weight, decimals);
}

/**
 * The price of a jetton in the points' currency, exact and not yet rounded: the average of V/A weighted by volume and
 * nearness in time over the last 60 minutes that end with the newest point, without the points further than a factor of
 * 2 from the weighted median. Points in any order, one per pool and minute; rows without volume or amount are no points;
 * minutes 60 or more before the newest are ignored. `decimals` are the jetton's. Undefined: no point, no price.
 * Source: docs/statistics.md, "Price of a jetton".
 */
export function priceAt(points: readonly PricePoint[], decimals: number): Rational | undefined {
  let newest = Number.NEGATIVE_INFINITY;
  for (const point of points) if (point.minute > newest && isPoint(point)) newest = point.minute;
  const recent = points.filter((point) => point.minute > newest - windowSeconds && isPoint(point));
  const [first] = recent;
  if (first === undefined) return undefined;
  if (recent.length === 1) return toPrice(first.volume, first.amount, decimals); // its weight cancels out

  const ratios = recent.map(ratioOf);
  // Where no two points differ by more than a factor of 2, none can differ so from the median, whichever that is.
  if (isWithinTwice(ratios)) return weightedAverage(recent, newest, decimals);

  const rated = recent.map(({ minute, volume, amount }, index) => ({
    minute,
    volume,
    amount,
    ratio: ratios[index] ?? Number.NaN,
  }));
  const median = weightedMedian(rated, newest);
  if (median === undefined) return undefined;
  const near = rated.filter((point) => isAtMostTwice(point, median) && isAtMostTwice(median, point));
  return weightedAverage(near, newest, decimals);
}
