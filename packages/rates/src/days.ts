import { formatInstant, parseInstant } from '@jetton-analytics/figures';
import { RatesError } from './rate-text.js';

const dayLength = 10; // YYYY-MM-DD
const firstDay = '1999-01-01';
const lastDay = '2199-12-31';

/** The UTC day of an instant in Unix seconds, `YYYY-MM-DD`. Throws RangeError for what is no whole number of seconds. */
export const dayOf = (seconds: number): string => formatInstant(seconds).slice(0, dayLength);

/** Checks a day as `YYYY-MM-DD`. Throws RatesError, which begins with `what`, for any other text. */
export function parseDay(text: string, what: string): string {
  if (parseInstant(`${text}T00:00:00Z`) === undefined || text < firstDay || text > lastDay) {
    throw new RatesError(`${what}: not a day as YYYY-MM-DD: ${JSON.stringify(text.slice(0, 40))}`);
  }
  return text;
}
