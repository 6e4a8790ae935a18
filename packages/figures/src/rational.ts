import type { AmountText } from './amounts.js';
import { pow10, type Rational, type Scaled } from './exact.js';

/** The exact quotient of a decimal. */
export const rationalOf = ({ value, decimals }: Scaled): Rational => ({
  numerator: value,
  denominator: pow10(decimals),
});

/** The exact number behind an amount as emitted. Throws SyntaxError for a value that is no integer in text. */
export const scaledOf = ({ value, decimals }: AmountText): Scaled => ({ value: BigInt(value), decimals });

/** a × b, exact. */
export const productOf = (a: Scaled, b: Scaled): Scaled => ({
  value: a.value * b.value,
  decimals: a.decimals + b.decimals,
});

/** a × b, exact, not reduced. */
export const rationalProduct = (a: Rational, b: Rational): Rational => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});

/** a / b, exact, not reduced; b > 0. */
export const rationalQuotient = (a: Rational, b: Rational): Rational => ({
  numerator: a.numerator * b.denominator,
  denominator: a.denominator * b.numerator,
});

/**
 * The exact sum. Terms of one denominator are added up first, so that a long sum over a few scales stays as short as its
 * scales.
 */
export function rationalSum(terms: readonly Rational[]): Rational {
  const byDenominator = new Map<bigint, bigint>();
  for (const { numerator, denominator } of terms) {
    byDenominator.set(denominator, (byDenominator.get(denominator) ?? 0n) + numerator);
  }
  let sum: Rational = { numerator: 0n, denominator: 1n };
  for (const [denominator, numerator] of byDenominator) {
    sum = {
      numerator: sum.numerator * denominator + numerator * sum.denominator,
      denominator: sum.denominator * denominator,
    };
  }
  return sum;
}
