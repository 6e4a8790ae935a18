import type { Rational } from './exact.js';

// Far more than what Math.log10 and the conversion of two bigints to floats are off by.
const doubtful = 1e-6;

const inHundredths = (log: number, full: number): number => (log * full) / 4;

/** log10 x of an exact x > 0 of any size, off by less than 1e-12 of its size. */
function roughLog10({ numerator, denominator }: Rational): number {
  return roughLog10Of(numerator) - roughLog10Of(denominator);
}

function roughLog10Of(value: bigint): number {
  const digits = value.toString();
  const kept = digits.slice(0, 17);
  return Math.log10(Number(kept)) + (digits.length - kept.length);
}

/** Whether full/4 × log10 x ≥ hundredths − 1/2, exact: x^(full/2) ≥ 10^(2·hundredths − 1). */
function reaches({ numerator, denominator }: Rational, full: number, hundredths: number): boolean {
  const exponent = BigInt(full / 2);
  return numerator ** exponent >= 10n ** BigInt(2 * hundredths - 1) * denominator ** exponent;
}

/**
 * full × clamp(log10(x) / 4, 0, 1) in hundredths of a point, rounded half up (halves never occur: 10 to a fraction in
 * lowest terms is irrational). `full` is the greatest number of hundredths, even. The float logarithm proposes; where it
 * comes within 10^-6 of a rounding edge integers decide, so that every machine gives the same digits.
 * Source: docs/statistics.md, "trustScore, version 1".
 */
export function logPoints(x: Rational, full: number): number {
  if (x.numerator <= x.denominator) return 0;
  if (x.numerator >= x.denominator * 10_000n) return full;
  const exact = inHundredths(roughLog10(x), full);
  const rounded = Math.round(exact);
  const edge = Math.floor(exact) + 0.5;
  if (Math.abs(exact - edge) > doubtful) return rounded;
  const upper = Math.floor(edge) + 1;
  return reaches(x, full, upper) ? upper : upper - 1;
}
