import { priceAt, type PricePoint, type Rational } from '@jetton-analytics/figures';

/** The price at the end of one step of a chart. */
export interface PriceStep {
  /** Start of the step, Unix seconds. */
  readonly start: number;
  readonly price: Rational;
  /** Whether a point lies in the step; otherwise the price is the one before. */
  readonly isNew: boolean;
}

const windowSeconds = 3_600;

/**
 * The price at the end of every step of [from, to), both multiples of `stepSeconds`, oldest first; steps before the
 * first price are absent. `points` are those of the minutes in the range and of the 60 minutes up to the newest one
 * before it, in any order. Source: docs/statistics.md, "Price of a jetton".
 */
export function priceSteps(
  points: readonly PricePoint[],
  { from, to, stepSeconds, decimals }: { from: number; to: number; stepSeconds: number; decimals: number },
): PriceStep[] {
  const ordered = points.toSorted((a, b) => a.minute - b.minute);
  const steps: PriceStep[] = [];
  let end = 0; // points before this index lie before the step's end
  let begin = 0; // points before this index are too old to count
  let price: Rational | undefined;
  const takeUntil = (instant: number): boolean => {
    const before = end;
    while ((ordered[end]?.minute ?? Number.POSITIVE_INFINITY) < instant) end += 1;
    if (end === before) return false;
    const newest = ordered[end - 1]?.minute ?? 0;
    while ((ordered[begin]?.minute ?? newest) <= newest - windowSeconds) begin += 1;
    price = priceAt(ordered.slice(begin, end), decimals);
    return true;
  };
  takeUntil(from);
  for (let start = from; start < to; start += stepSeconds) {
    const isNew = takeUntil(start + stepSeconds);
    if (price !== undefined) steps.push({ start, price, isNew });
  }
  return steps;
}
