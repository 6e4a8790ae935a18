import { z } from 'zod';
import { parseDay } from './days.js';
import { isFiat } from './fiats.js';
import { absentFrom, type ReadRates, rowOf } from './parse-csv.js';
import { RatesError } from './rate-text.js';

/** A JSON number as it stands in the text: a double would not hold it exactly. */
class NumberText {
  constructor(readonly text: string) {}
}

const Answer = z.object({ date: z.string(), usd: z.record(z.string(), z.unknown()) });

// The type of a reviver does not know its third argument yet.
function keepNumberText(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' ? new NumberText(source ?? '') : value;
}

/**
 * Rates of one day as the npm package `@fawazahmed0/currency-api` writes them in `v1/currencies/usd.json` and
 * FX_RATES_URL answers: `{"date":"YYYY-MM-DD","usd":{"eur":0.85,…}}`; numbers are read from their text. Names that are no
 * currency of ours are ignored. Throws RatesError that names the currency for a rate that is none, and for any other
 * shape; then nothing of it counts.
 */
export function parseRatesJson(text: string): ReadRates {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text, keepNumberText);
  } catch (error) {
    throw new RatesError('not JSON', { cause: error });
  }
  const answer = Answer.safeParse(parsed);
  if (!answer.success) throw new RatesError('not of the shape {"date":"YYYY-MM-DD","usd":{"eur":0.85}}');
  const day = parseDay(answer.data.date, 'date');
  const rows = Object.entries(answer.data.usd).flatMap(([currency, rate]) => {
    if (!isFiat(currency)) return [];
    if (!(rate instanceof NumberText)) throw new RatesError(`usd.${currency}: not a number`);
    return rowOf(day, currency, rate.text, `usd.${currency}`);
  });
  if (rows.length === 0) throw new RatesError('there is no rate in it');
  return { rows, absent: absentFrom(rows) };
}
