import { normaliseFeedAddress } from './address.js';
import type { Decimal } from './decimal.js';
import { isNotFiniteText, magnitudeOf, parseDecimal, scaledText } from './decimal.js';
import type { Fault, FaultReason } from './faults.js';
import { isPlainInteger, numberTextOf } from './number-text.js';

/** Each reader gives the field's value, with '' for null, or the fault that the field is. */
const volumeScale = 18;
const volumeWholeDigitsMax = 18;
const amountBound = 2n ** 120n;
// 10^36 < 2^120 < 10^37: 36 digits are always below the bound, 38 never.
const amountDigitsMax = 37;
const plainAmount = /^(?:0|[1-9]\d{0,35})$/;
const plainVolume = /^(?:0|[1-9]\d{0,17})(?:\.\d{0,17}[1-9])?$/;
const hashBytes = 32;
const hashText = 44;
const hashScratch = Buffer.alloc(hashBytes);

export function faultOf(reason: FaultReason, field: string, detail: string): Fault {
  return { kind: 'fault', reason, field, detail };
}

export function missing(field: string): Fault {
  return faultOf('missing_field', field, 'is required');
}

/** 44 characters of standard base64 to 64 lower-case hex digits. The unused bits of the last digit must be zero. */
export function readHash(value: unknown, field: string): string | Fault {
  if (typeof value !== 'string') {
    return value === undefined || value === null ? missing(field) : faultOf('wrong_type', field, 'must be a string');
  }
  if (value.length === hashText) {
    // The decoder forgives a great deal; only what encodes back to itself is standard base64 of 32 bytes.
    hashScratch.write(value, 'base64');
    if (hashScratch.toString('base64') === value) return hashScratch.toString('hex');
  }
  return faultOf('malformed_hash', field, 'must be standard base64 of 32 bytes');
}

export function readAddress(value: unknown, field: string): string | Fault {
  if (typeof value !== 'string') {
    return value === undefined || value === null ? '' : faultOf('wrong_type', field, 'must be a string or null');
  }
  return normaliseFeedAddress(value) ?? faultOf('malformed_address', field, 'must be <workchain>:<64 hex digits>');
}

/** An integer from 0 to below 2^120 as plain digits. */
export function readAmount(value: unknown, field: string, text: string): string | Fault {
  if (typeof value === 'string' && plainAmount.test(value)) return value;
  const decimal = readDecimal(value, field, text);
  if (decimal === null) return '';
  if ('kind' in decimal) return decimal;
  if (decimal.digits === '') return '0';
  if (decimal.exponent < 0) return faultOf('wrong_type', field, 'must be an integer');
  const outOfRange = 'must be at least 0 and below 2^120';
  if (decimal.negative || magnitudeOf(decimal) > amountDigitsMax)
    return faultOf('amount_out_of_range', field, outOfRange);
  const digits = decimal.digits.padEnd(magnitudeOf(decimal), '0');
  return BigInt(digits) < amountBound ? digits : faultOf('amount_out_of_range', field, outOfRange);
}

/**
 * A decimal from 0 to below 10^18, rounded half away from zero to 18 fractional digits, as plain decimal without
 * trailing zeros. The bounds are asked of the exact value, and again of the rounded one: a value that only rounding
 * brings to 10^18 is out of range too, since the ledger would hold what no message may say.
 */
export function readVolume(value: unknown, field: string, text: string): string | Fault {
  if (typeof value === 'string' && plainVolume.test(value)) return value;
  const decimal = readDecimal(value, field, text);
  if (decimal === null) return '';
  if ('kind' in decimal) return decimal;
  if (decimal.digits === '') return '0';
  const outOfRange = 'must be at least 0 and below 10^18';
  const magnitude = magnitudeOf(decimal);
  if (decimal.negative || magnitude > volumeWholeDigitsMax) return faultOf('volume_out_of_range', field, outOfRange);
  const keptDigits = magnitude + volumeScale;
  if (keptDigits < 0) return '0';
  const roundsUp = decimal.digits.charCodeAt(keptDigits) >= 53;
  const kept = BigInt(decimal.digits.slice(0, keptDigits).padEnd(keptDigits, '0')) + (roundsUp ? 1n : 0n);
  const scaled = String(kept);
  if (scaled.length > volumeWholeDigitsMax + volumeScale) return faultOf('volume_out_of_range', field, outOfRange);
  return scaledText(scaled, volumeScale);
}

/**
 * A JSON number whose exact value is an integer: as a number where it is a safe integer, ±Infinity where it is beyond.
 */
export function readInteger(value: unknown, field: string, text: string): number | Fault {
  if (typeof value !== 'number') return faultOf('wrong_type', field, 'must be a JSON number');
  if (isPlainInteger(text, field, value)) return value;
  const decimal = parseDecimal(numberTextOf(text, field, value));
  if (decimal === undefined || decimal.exponent < 0) return faultOf('wrong_type', field, 'must be an integer');
  // What is beyond a safe integer need not be exact, since every range in use ends far below.
  return value === 0 ? 0 : value;
}

/** Null is null, anything else a decimal or a fault. */
function readDecimal(value: unknown, field: string, text: string): Decimal | Fault | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') {
    return faultOf('wrong_type', field, 'must be a decimal as text or number, or null');
  }
  const source = typeof value === 'string' ? value : numberTextOf(text, field, value);
  const decimal = parseDecimal(source);
  if (decimal !== undefined) return decimal;
  return isNotFiniteText(source)
    ? faultOf('not_finite', field, 'must be a finite number')
    : faultOf('wrong_type', field, 'must be a decimal');
}
