import type { ScaledNumber } from '@jetton-analytics/common';
import type { Given } from './given.js';
import { readScalar, type Reading } from './read-parameter.js';
import type { Value } from './values.js';
import type { Violations } from './violations.js';

const amountValueText = /^(0|[1-9]\d*)$/;
const amountDigitsMax = 512;
const amountDecimals = { kind: 'integer', min: 0, max: 255, description: '' } as const;

/** Reads the two parts of an amount; undefined where it is absent or wrong. Source: docs/http-api.md, "Filters and sorting". */
export function readAmount(name: string, given: Given, reading: Reading): ScaledNumber | undefined {
  const value = given.get(`${name}.value`);
  const decimalsGiven = given.get(`${name}.decimals`);
  const decimals =
    decimalsGiven === undefined ? 0 : readScalar(amountDecimals, `${name}.decimals`, decimalsGiven, reading);
  if (value === undefined) {
    if (decimalsGiven !== undefined) {
      reading.violations.add(`${name}.value`, 'REQUIRED', 'is required with decimals');
    }
    return undefined;
  }
  return amountOf(`${name}.value`, value, typeof decimals === 'number' ? decimals : 0, reading.violations);
}

function amountOf(field: string, value: Value, decimals: number, violations: Violations): ScaledNumber | undefined {
  if (value.type !== 'text' && value.type !== 'string') {
    violations.add(field, 'WRONG_TYPE', 'must be an integer in text');
  } else if (/^-[1-9]\d*$/.test(value.value)) violations.add(field, 'TOO_SMALL', 'must not be negative');
  else if (!amountValueText.test(value.value)) violations.add(field, 'MALFORMED', 'must be an integer in text');
  else if (value.value.length > amountDigitsMax) {
    violations.add(field, 'TOO_LONG', `must have at most ${amountDigitsMax} digits`);
  } else return { value: BigInt(value.value), decimals };
  return undefined;
}
