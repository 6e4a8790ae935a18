/** digits × 10^exponent, `digits` without zeros at either end; zero is ''. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  /** May be ±Infinity where the text's exponent is beyond a double: no figure of ours comes near either. */
  readonly exponent: number;
}

// The grammar of a JSON number, for decimal text too: no plus, no blank, no leading zero, no bare point.
const decimalText = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const notFiniteText = /^[+-]?(?:nan|inf(?:inity)?)$/i;
const zeroCode = 48;

export function isNotFiniteText(text: string): boolean {
  return notFiniteText.test(text);
}

/**
 * Reads a decimal without ever building its value, so that `1E+999999999` and a megabyte of digits cost no more than
 * a pass over the text. Undefined where the text is no decimal.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = decimalText.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
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
    exponent: Number(exponentText) - fraction.length + (all.length - end),
  };
}

/** One above the position of the first digit: |value| ≥ 10^n exactly when this is greater than n. */
export function magnitudeOf({ digits, exponent }: Decimal): number {
  return digits.length + exponent;
}

/** `digits` (plain, unsigned) ÷ 10^decimals as plain decimal without trailing zeros: ('1500', 3) gives '1.5'. */
export function scaledText(digits: string, decimals: number): string {
  const padded = digits.length > decimals ? digits : digits.padStart(decimals + 1, '0');
  const point = padded.length - decimals;
  let end = padded.length;
  while (end > point && padded.charCodeAt(end - 1) === zeroCode) end -= 1;
  return end === point ? padded.slice(0, point) : `${padded.slice(0, point)}.${padded.slice(point, end)}`;
}
