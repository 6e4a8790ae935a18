import { cleanText, textLengthMax } from './clean-text.js';
import { parseDecimal } from './decimal.js';
import type { Fault } from './faults.js';
import { faultOf, missing, readAddress, readAmount, readHash, readInteger } from './fields.js';
import { numberTextOf } from './number-text.js';

/** Readers of the state topics' fields. Null is null; a fault says what the field is. */
const secondsEnd = 2 ** 32;
const ltEnd = 2n ** 64n;
const ltDigitsMax = 20;
const zeroAccount = /:0{64}$/;

export function readRequiredAddress(value: unknown, field: string): string | Fault {
  return value === undefined || value === null ? missing(field) : readAddress(value, field);
}

/** '' for none: null and the zero address of any workchain. */
export function readOwner(value: unknown, field: string): string | Fault {
  const address = readAddress(value, field);
  return typeof address === 'string' && zeroAccount.test(address) ? '' : address;
}

/** Unix seconds that the stores hold: from 1970 to 2106. */
export function readSeconds(value: unknown, field: string, text: string): number | null | Fault {
  if (value === undefined || value === null) return null;
  const seconds = readInteger(value, field, text);
  if (typeof seconds !== 'number') return seconds;
  return seconds >= 0 && seconds < secondsEnd
    ? seconds
    : faultOf('event_time_out_of_range', field, 'must be Unix seconds from 0 to 2^32 − 1');
}

/** A logical time: an integer from 0 to 2^64 − 1, as JSON number or text. */
export function readLogicalTime(value: unknown, field: string, text: string): bigint | Fault {
  if (value === undefined || value === null) return missing(field);
  if (typeof value !== 'string' && typeof value !== 'number') return faultOf('wrong_type', field, 'must be an integer');
  const decimal = parseDecimal(typeof value === 'string' ? value : numberTextOf(text, field, value));
  if (decimal === undefined || decimal.exponent < 0) return faultOf('wrong_type', field, 'must be an integer');
  if (decimal.digits === '') return 0n;
  const outOfRange = faultOf('event_time_out_of_range', field, 'must be from 0 to 2^64 − 1');
  if (decimal.negative || decimal.digits.length + decimal.exponent > ltDigitsMax) return outOfRange;
  const lt = BigInt(decimal.digits) * 10n ** BigInt(decimal.exponent);
  return lt < ltEnd ? lt : outOfRange;
}

export function readFlag(value: unknown, field: string): boolean | null | Fault {
  if (value === undefined || value === null) return null;
  return typeof value === 'boolean' ? value : faultOf('wrong_type', field, 'must be true, false or null');
}

/** Raw units, 0 ≤ a < 2^120. */
export function readRawUnits(value: unknown, field: string, text: string): bigint | null | Fault {
  const amount = readAmount(value, field, text);
  if (typeof amount !== 'string') return amount;
  return amount === '' ? null : BigInt(amount);
}

/** A stranger's text, cleaned and cut; '' for null. */
export function readText(value: unknown, field: string, codePointsMax: number): string | Fault {
  if (value === undefined || value === null) return '';
  return typeof value === 'string'
    ? cleanText(value, codePointsMax)
    : faultOf('wrong_type', field, 'must be a string or null');
}

/** A hash as 64 lower-case hex digits; '' for null. */
export function readOptionalHash(value: unknown, field: string): string | Fault {
  return value === undefined || value === null ? '' : readHash(value, field);
}

/** Decimals are never a fault: what is no integer from 0 to 255, or its text, is unknown (docs/statistics.md, "Words"). */
export function readDecimals(value: unknown, field: string, text: string): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const decimal = parseDecimal(typeof value === 'string' ? value : numberTextOf(text, field, value));
  if (decimal === undefined || decimal.negative || decimal.exponent < 0) return null;
  if (decimal.digits === '') return 0;
  if (decimal.digits.length + decimal.exponent > 3) return null;
  const decimals = Number(decimal.digits) * 10 ** decimal.exponent;
  return decimals <= 255 ? decimals : null;
}

/** A field that is kept but in no figure: its text or the text of its number where it has one, never a fault. */
export function readUnchecked(value: unknown, field: string, text: string): string | null {
  if (typeof value === 'number') return cleanText(numberTextOf(text, field, value), textLengthMax.symbol);
  return typeof value === 'string' ? cleanText(value, textLengthMax.symbol) : null;
}
