import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseRatesJson } from './parse-json.js';
import type { DayRate } from './rates.js';

/** How the rates of the package are named where the source of a rate is kept. */
export const bundledSource = 'npm:@fawazahmed0/currency-api';

// Read as text: an import of JSON would make doubles of its numbers.
const require = createRequire(import.meta.url);

let rows: readonly DayRate[] | undefined;

/**
 * The one day that comes with the npm package `@fawazahmed0/currency-api` (CC0): what counts while no other rates have
 * been imported. Read once. Throws Node's error when the package is not installed.
 */
export function bundledRates(): readonly DayRate[] {
  rows ??= parseRatesJson(
    readFileSync(require.resolve('@fawazahmed0/currency-api/v1/currencies/usd.json'), 'utf8'),
  ).rows;
  return rows;
}
