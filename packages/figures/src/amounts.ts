import { dividedHalfAway, pow10, rescaled, type Rational, type Scaled } from './exact.js';

/** An amount as the interface writes it: value is an integer in text, the amount is value / 10^decimals. */
export interface AmountText {
  readonly value: string;
  readonly decimals: number;
}

/** Decimals of volumes, liquidity and caps. Source: docs/statistics.md, "Amounts". */
export const volumeDecimals = { ton: 9, fiat: 6 } as const;

/** n, the natural decimals of prices. Source: docs/statistics.md, "Amounts". */
export const priceDecimals = { ton: 9, counterpart: 9, fiat: 6 } as const;

const significantDigits = 12;
const priceDecimalsMax = 36;
const noPriceFromExponent = 30;

/** An exact number rounded once, half away from zero, to the given decimals. */
export function roundedAmount(exact: Scaled, decimals: number): AmountText {
  return { value: rescaled(exact, decimals).toString(), decimals };
}

/** An exact quotient rounded once, half away from zero, to the given decimals. */
export function roundedQuotientAmount({ numerator, denominator }: Rational, decimals: number): AmountText {
  return { value: dividedHalfAway(numerator * pow10(decimals), denominator).toString(), decimals };
}

/** How "no price" is written. */
export const noPriceAmount = (naturalDecimals: number): AmountText => ({ value: '0', decimals: naturalDecimals });

/** Whether an amount written as a price is one; 0 stands for "no price". */
export const isPrice = (amount: AmountText): boolean => amount.value !== '0';

/** floor(log10 x) of an exact x > 0. */
export function decimalExponent({ numerator, denominator }: Rational): number {
  // x lies between 10^(guess−1) and 10^(guess+1), both excluded.
  const guess = numerator.toString().length - denominator.toString().length;
  const reached = guess >= 0 ? numerator >= denominator * pow10(guess) : numerator * pow10(-guess) >= denominator;
  return reached ? guess : guess - 1;
}

/**
 * A price x as an amount: s = min(36, max(n, 11 − e)) decimals with e = floor(log10 x) of the exact x, so 12
 * significant digits or the natural scale n, whichever shows more; a carry in rounding does not change s. No price, 0,
 * a price that rounds to 0 and one of 10^30 or more are written `{"value":"0","decimals":n}`.
 * Source: docs/statistics.md, "Amounts".
 */
export function priceAmount(price: Rational | undefined, naturalDecimals: number): AmountText {
  if (price === undefined || price.numerator <= 0n) return noPriceAmount(naturalDecimals);
  const exponent = decimalExponent(price);
  if (exponent >= noPriceFromExponent) return noPriceAmount(naturalDecimals);
  const decimals = Math.min(priceDecimalsMax, Math.max(naturalDecimals, significantDigits - 1 - exponent));
  const amount = roundedQuotientAmount(price, decimals);
  return isPrice(amount) ? amount : noPriceAmount(naturalDecimals);
}
