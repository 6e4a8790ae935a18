import { decimalText, type Scaled } from '@jetton-analytics/figures';

/** What is wrong with rates that were given: a sentence that names the line, the currency or the field. */
export class RatesError extends Error {
  override readonly name = 'RatesError';
}

const plain = /^(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;
const decimalsMax = 30;
const wholeDigitsMax = 15;
const trailingZeros = /0+$/;

/**
 * A rate from decimal text, also in exponent form, exactly; without trailing zeros, so that equal rates are written
 * alike. Throws RatesError, which begins with `what`, for anything but a number > 0 and < 10^15 with at most 30
 * fractional digits.
 */
export function parseRate(text: string, what: string): Scaled {
  const match = plain.exec(text);
  if (match === null) throw new RatesError(`${what}: not a decimal number: ${JSON.stringify(text.slice(0, 40))}`);
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(trailingZeros, '');
  const decimals = fraction.length - Number(exponent) - (whole.length + fraction.length - digits.length);
  const value = BigInt(digits === '' ? '0' : digits);
  if (value === 0n) throw new RatesError(`${what}: must be greater than 0`);
  if (decimals > decimalsMax) throw new RatesError(`${what}: more than ${decimalsMax} fractional digits`);
  if (value.toString().length - decimals > wholeDigitsMax) {
    throw new RatesError(`${what}: must be less than 10^${wholeDigitsMax}`);
  }
  return decimals >= 0 ? { value, decimals } : { value: value * 10n ** BigInt(-decimals), decimals: 0 };
}

/** A rate as plain decimal without trailing zeros. */
export const rateText = ({ value, decimals }: Scaled): string => decimalText(value, decimals);
