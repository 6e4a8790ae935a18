import type { Scaled } from './exact.js';

const plainDecimal = /^-?\d+(\.\d+)?$/;

/**
 * Reads a plain decimal as ClickHouse prints it (`123.456`, `-0.5`, `7`, with or without trailing zeros), exactly.
 * Throws RangeError for any other text, exponents included.
 */
export function parseDecimal(text: string): Scaled {
  if (!plainDecimal.test(text)) throw new RangeError(`not a plain decimal: ${JSON.stringify(text)}`);
  const point = text.indexOf('.');
  if (point < 0) return { value: BigInt(text), decimals: 0 };
  return { value: BigInt(text.slice(0, point) + text.slice(point + 1)), decimals: text.length - point - 1 };
}

/**
 * Reads a plain decimal to an integer scaled by 10^decimals. Throws RangeError where that would lose a digit, or for
 * text that is no plain decimal.
 */
export function scaledFromDecimal(text: string, decimals: number): bigint {
  if (!plainDecimal.test(text)) throw new RangeError(`not a plain decimal: ${JSON.stringify(text)}`);
  const point = text.indexOf('.');
  const whole = point < 0 ? text : text.slice(0, point);
  const fraction = point < 0 ? '' : text.slice(point + 1);
  const kept = fraction.slice(0, decimals);
  if (/[1-9]/.test(fraction.slice(decimals))) throw new RangeError(`more than ${decimals} fractional digits: ${text}`);
  return BigInt(whole + kept.padEnd(decimals, '0'));
}

/** Writes value / 10^decimals as a plain decimal without trailing zeros, as it can be inserted into ClickHouse. */
export function decimalText(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  const whole = sign + digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}
