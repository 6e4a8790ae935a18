/** A decimal number as it was written: ± digits × 10^exponent. Digits have no zeros at either end; zero has none. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

/** An exact non-negative fraction; the denominator is > 0. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const grammar = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Reads a number in JSON's grammar, or gives undefined. Nothing is computed, so an exponent of any size is harmless. */
export function readDecimal(text: string): Decimal | undefined {
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { negative: false, digits: '', exponent: 0n };
  const dropped = BigInt(significant.length - digits.length);
  return { negative: sign === '-', digits, exponent: BigInt(exponent) - BigInt(fraction.length) + dropped };
}

export const isIntegral = ({ exponent }: Decimal): boolean => exponent >= 0n;

/** Whether |number| ≥ 10^power. */
export function reachesPowerOfTen({ digits, exponent }: Decimal, power: bigint): boolean {
  return digits !== '' && BigInt(digits.length) - 1n + exponent >= power;
}

/** |number| × 10^scale, rounded half away from zero. The caller has made sure that the number is not huge. */
export function scaled({ digits, exponent }: Decimal, scale: bigint): bigint {
  if (digits === '') return 0n;
  const shift = exponent + scale;
  if (shift >= 0n) return BigInt(digits) * 10n ** shift;
  if (BigInt(digits.length) < -shift) return 0n; // below 0.1
  return divideRounded(BigInt(digits), 10n ** -shift);
}

/** numerator / denominator (> 0) to the nearest integer, halves away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** value / 10^scale in plain digits without trailing zeros: (1250n, 2) is `12.5`. */
export function plainText(value: bigint, scale: number): string {
  const size = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const whole = size.slice(0, size.length - scale);
  const fraction = size.slice(size.length - scale).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
