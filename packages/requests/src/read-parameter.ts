import type { Parameter, ViolationReason } from '@jetton-analytics/common';
import { readDecimal, readWholeNumber } from './decimal.js';
import { readInstant } from './instant.js';
import { readAddress, readHash } from './read-address.js';
import type { ReadContext } from './read-context.js';
import { readText } from './read-text.js';
import { textOf, type Value } from './values.js';
import type { Violations } from './violations.js';

export interface Reading {
  readonly context: ReadContext;
  readonly violations: Violations;
}

type ParameterOf<Kind extends Parameter['kind']> = Extract<Parameter, { kind: Kind }>;

const int64Text = /^(0|-?[1-9]\d{0,18})$/;
const longInteger = /^-?[1-9]\d{19,}$/;
const int64Max = 2n ** 63n - 1n;
const integerText = /^(0|-?[1-9]\d*)$/;
const shownValuesMax = 14;

/** Reads a value that is no array and no amount; undefined where it is wrong, which is then among the violations. */
export function readScalar(parameter: Parameter, field: string, value: Value, reading: Reading): unknown {
  const fail = (reason: ViolationReason, message: string): undefined => {
    reading.violations.add(field, reason, message);
    return undefined;
  };
  switch (parameter.kind) {
    case 'integer':
      return readInteger(parameter, value, fail);
    case 'boolean':
      return readBoolean(value, fail);
    case 'decimal':
      return readDecimalValue(value, fail);
    case 'int64':
      return readInt64(value, fail);
    case 'text':
    case 'cursor':
    case 'enum':
    case 'enums':
    case 'address':
    case 'addresses':
    case 'hash':
    case 'instant':
    case 'amount': {
      const text = textOf(value);
      return text === undefined
        ? fail('WRONG_TYPE', 'must be a string')
        : readString(parameter, field, text, reading, fail);
    }
  }
  return parameter satisfies never;
}

type Fail = (reason: ViolationReason, message: string) => undefined;

function readInteger({ min, max }: ParameterOf<'integer'>, value: Value, fail: Fail): number | undefined {
  if (value.type !== 'text' && value.type !== 'number') return fail('WRONG_TYPE', 'must be an integer');
  // In a query a number is written in one way only; in JSON 20.0 and 2e1 are integers like 20.
  const given = value.type === 'number' ? value.text : integerText.test(value.value) ? value.value : '';
  const number = readWholeNumber(given);
  if (number === undefined) return fail('MALFORMED', 'must be an integer');
  if (number < min) return fail('TOO_SMALL', `must be at least ${min}`);
  if (number > max) return fail('TOO_LARGE', `must be at most ${max}`);
  return number;
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function readBoolean(value: Value, fail: Fail): boolean | undefined {
  if (value.type === 'boolean') return value.value;
  if (value.type !== 'text') return fail('WRONG_TYPE', 'must be true or false');
  const known = Object.hasOwn(booleans, value.value) ? booleans[value.value] : undefined;
  return known ?? fail('MALFORMED', 'must be true, false, 1 or 0');
}

function readDecimalValue(value: Value, fail: Fail): unknown {
  const text = value.type === 'number' ? value.text : textOf(value);
  if (text === undefined) return fail('WRONG_TYPE', 'must be a number or its text');
  return readDecimal(text) ?? fail('MALFORMED', 'must be a decimal number');
}

function readInt64(value: Value, fail: Fail): bigint | undefined {
  const text = value.type === 'number' ? wholeText(value.text) : textOf(value);
  if (text === undefined) return fail('WRONG_TYPE', 'must be an integer in text');
  if (longInteger.test(text)) {
    return text.startsWith('-') ? fail('TOO_SMALL', 'must have 64 bits') : fail('TOO_LARGE', 'must have 64 bits');
  }
  if (!int64Text.test(text)) return fail('MALFORMED', 'must be an integer in text');
  const integer = BigInt(text);
  // Most programs have rounded such a number before they send it.
  if (value.type === 'number' && !Number.isSafeInteger(Number(integer))) {
    return fail(integer < 0n ? 'TOO_SMALL' : 'TOO_LARGE', 'must be in text beyond 2^53 - 1');
  }
  if (integer > int64Max) return fail('TOO_LARGE', 'must have 64 bits');
  if (integer < -int64Max - 1n) return fail('TOO_SMALL', 'must have 64 bits');
  return integer;
}

/** A JSON number as the text of an integer, whichever way it is written; other numbers as they are. */
function wholeText(text: string): string {
  const number = readDecimal(text);
  return number !== undefined && number.decimals === 0 ? number.value.toString() : text;
}

function readString(
  parameter: Exclude<Parameter, ParameterOf<'integer' | 'boolean' | 'decimal' | 'int64'>>,
  field: string,
  text: string,
  { context, violations }: Reading,
  fail: Fail,
): unknown {
  switch (parameter.kind) {
    case 'text':
      return readText(text, parameter, fail);
    case 'cursor': {
      if (text === '') return undefined;
      if (text.length > parameter.charsMax) return fail('CURSOR_INVALID', 'is not a cursor of this service');
      const violation = context.checkCursor?.(text);
      return violation === undefined ? text : fail(violation.reason, violation.message);
    }
    case 'enum': {
      const word = parameter.anyCase === true && text === text.toUpperCase() ? text.toLowerCase() : text;
      return parameter.values.includes(word) ? word : fail('UNKNOWN_VALUE', expectedWords(parameter.values));
    }
    case 'enums': {
      const word = Object.hasOwn(parameter.aliases, text) ? parameter.aliases[text] : text;
      const isKnown = word !== undefined && parameter.values.includes(word);
      return isKnown ? word : fail('UNKNOWN_VALUE', expectedWords(parameter.values));
    }
    case 'address':
      if (parameter.orNative === true && text === 'ton') return text;
      return readAddress(text, field, context.network, violations);
    case 'addresses':
      return readAddress(text, field, context.network, violations);
    case 'hash':
      return readHash(text) ?? fail('MALFORMED', 'must be 64 hex digits, or 32 bytes in base64');
    case 'instant':
      return readInstant(text) ?? fail('MALFORMED', 'must be an ISO 8601 instant with an offset, or Unix seconds');
    case 'amount':
      throw new TypeError('an amount is no scalar');
  }
  return parameter satisfies never;
}

function expectedWords(values: readonly string[]): string {
  return values.length <= shownValuesMax ? `must be one of ${values.join(', ')}` : 'is not a known value';
}
