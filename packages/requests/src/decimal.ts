import type { ScaledNumber } from '@jetton-analytics/common';

const decimalText = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const zeroCode = 48;
// Percentages end below 10^11 and at four decimals, so nothing beyond these bounds can change a comparison.
const magnitudeMax = 40;
const decimalsMax = 60;

/** digits × 10^exponent without zeros at either end of the digits; zero is ''. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Reads the text of a JSON number without building its value: `1e999999999` costs a pass over the text. */
function parseDecimal(text: string): Decimal | undefined {
  const match = decimalText.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  // By hand: a pattern like /0+$/ is quadratic on a long run of zeros that does not end the text.
  let start = 0;
  while (start < all.length && all.charCodeAt(start) === zeroCode) start += 1;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === zeroCode) end -= 1;
  if (start === end) return { negative: false, digits: '', exponent: 0 };
  return {
    negative: sign === '-',
    digits: all.slice(start, end),
    exponent: Number(exponent) - fraction.length + (all.length - end),
  };
}

/**
 * A decimal in text as an exact number; undefined where it is none. Beyond ±10^40 it is ±10^40, and beyond 60 decimals a
 * last digit 1 stands for the rest, which keeps the order to every number of at most 60 decimals.
 */
export function readDecimal(text: string): ScaledNumber | undefined {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return undefined;
  const { negative, digits, exponent } = decimal;
  if (digits === '') return { value: 0n, decimals: 0 };
  const signed = (value: bigint, decimals: number) => ({ value: negative ? -value : value, decimals });
  if (digits.length + exponent > magnitudeMax) return signed(10n ** BigInt(magnitudeMax), 0);
  if (exponent >= 0) return signed(BigInt(digits) * 10n ** BigInt(exponent), 0);
  if (-exponent <= decimalsMax) return signed(BigInt(digits), -exponent);
  const kept = digits.slice(0, Math.max(0, digits.length + exponent + decimalsMax));
  return signed(BigInt(`${kept}1`), decimalsMax + 1);
}

/**
 * The integer a decimal in text is equal to (`20`, `2e1`, `20.0`): undefined where it is none, ±Infinity where it is
 * beyond 2^53.
 */
export function readWholeNumber(text: string): number | undefined {
  const decimal = parseDecimal(text);
  if (decimal === undefined || decimal.exponent < 0) return undefined;
  const { negative, digits, exponent } = decimal;
  if (digits === '') return 0;
  const size = digits.length + exponent > 15 ? Infinity : Number(digits) * 10 ** exponent;
  return negative ? -size : size;
}

/** Orders two exact numbers: negative where a < b. */
export function compareScaled(a: ScaledNumber, b: ScaledNumber): number {
  const left = a.value * 10n ** BigInt(Math.max(0, b.decimals - a.decimals));
  const right = b.value * 10n ** BigInt(Math.max(0, a.decimals - b.decimals));
  return left < right ? -1 : left > right ? 1 : 0;
}
