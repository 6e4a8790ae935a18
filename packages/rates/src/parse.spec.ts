import { describe, expect, it } from '@jest/globals';
import { parseRatesCsv } from './parse-csv.js';
import { parseRatesJson } from './parse-json.js';
import { parseRate, RatesError, rateText } from './rate-text.js';

const said = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof RatesError) return error.message;
    throw error;
  }
  return 'nothing';
};

describe('a rate', () => {
  it.each([
    ['0.92282179', '0.92282179'],
    ['1.50', '1.5'],
    ['3750', '3750'],
    ['1e-7', '0.0000001'],
    ['1.25E+3', '1250'],
    ['12e2', '1200'],
    ['0.000000000000000000000000000001', '0.000000000000000000000000000001'],
    ['999999999999999', '999999999999999'],
    // a double has 17 digits
    ['123456789.123456789123456789', '123456789.123456789123456789'],
  ])('%s is read exactly', (text, expected) => {
    expect(rateText(parseRate(text, 'x'))).toBe(expected);
  });

  it.each(['', '0', '0.000', '0e5', '-1', '+1', '.5', '1.', '1,5', 'NaN', 'Infinity', '0x10', '1e', '1 2'])(
    '%j is none',
    (text) => {
      expect(said(() => parseRate(text, 'line 3, eur'))).toMatch(/^line 3, eur: /);
    },
  );

  it('is less than 10^15 and has at most 30 fractional digits', () => {
    expect(said(() => parseRate('1000000000000000', 'x'))).toBe('x: must be less than 10^15');
    expect(said(() => parseRate('1e15', 'x'))).toBe('x: must be less than 10^15');
    expect(said(() => parseRate('1e-31', 'x'))).toBe('x: more than 30 fractional digits');
  });
});

describe('rates of a CSV', () => {
  it('leave out empty cells and tell which currencies have no rate at all', () => {
    const { rows, absent } = parseRatesCsv('\uFEFFDate,EUR,jpy,ton,note\r\n2026-03-01,0.9,,3,x\r\n\r\n');
    expect(rows).toEqual([{ day: '2026-03-01', currency: 'eur', rate: { value: 9n, decimals: 1 } }]);
    expect(absent).toHaveLength(51);
    expect(absent).toContain('jpy');
  });

  it.each([
    ['day,eur\n2026-03-01,1', 'line 1: there is no column "date"'],
    ['date,euro\n2026-03-01,1', 'line 1: no column is named by a known currency'],
    ['date,eur,EUR\n2026-03-01,1,1', 'line 1: column "eur" stands there twice'],
    ['date,eur\n2026-03-01,0.9\n2026-02-30,0.9', 'line 3, date: not a day as YYYY-MM-DD: "2026-02-30"'],
    ['date,eur\n2026-03-01,0.9,1', 'line 2: 3 cells where the header has 2'],
    ['date,eur,jpy\n2026-03-01,0.9,abc', 'line 2, jpy: not a decimal number: "abc"'],
    ['date,eur,jpy\n2026-03-01,0.9,0', 'line 2, jpy: must be greater than 0'],
    ['date,eur\n2026-03-01,0.9\n2026-03-01,0.9', 'line 3: 2026-03-01 is on line 2 too'],
    ['date,usd,eur\n2026-03-01,2,0.9', 'line 2, usd: the base must be usd, so usd must be 1'],
    ['date,eur\n2026-03-01,\n', 'there is no rate in it'],
    ['', 'line 1: there is no column "date"'],
  ])('%j is refused: %s', (text, message) => {
    expect(said(() => parseRatesCsv(text))).toBe(message);
  });
});

describe('rates of FX_RATES_URL', () => {
  it('are read from the text of their numbers', () => {
    const text = '{"date":"2026-09-29","usd":{"eur":0.123456789012345678901,"jpy":1.5e2,"1inch":9.9,"usd":1,"ton":3}}';
    expect(parseRatesJson(text).rows.map(({ currency, rate }) => [currency, rateText(rate)])).toEqual([
      ['eur', '0.123456789012345678901'],
      ['jpy', '150'],
    ]);
    expect(parseRatesJson(text).absent).toHaveLength(50);
  });

  it.each([
    ['<html>', 'not JSON'],
    ['['.repeat(200_000), 'not JSON'],
    ['[]', 'not of the shape {"date":"YYYY-MM-DD","usd":{"eur":0.85}}'],
    ['{"date":"2026-09-29","eur":{"usd":1.1}}', 'not of the shape {"date":"YYYY-MM-DD","usd":{"eur":0.85}}'],
    ['{"date":"29.9.2026","usd":{"eur":0.9}}', 'date: not a day as YYYY-MM-DD: "29.9.2026"'],
    ['{"date":"2026-09-29","usd":{"eur":"0.9"}}', 'usd.eur: not a number'],
    ['{"date":"2026-09-29","usd":{"eur":null}}', 'usd.eur: not a number'],
    ['{"date":"2026-09-29","usd":{"eur":0}}', 'usd.eur: must be greater than 0'],
    ['{"date":"2026-09-29","usd":{"eur":-0.9}}', 'usd.eur: not a decimal number: "-0.9"'],
    ['{"date":"2026-09-29","usd":{"usd":1.01,"eur":0.9}}', 'usd.usd: the base must be usd, so usd must be 1'],
    ['{"date":"2026-09-29","usd":{}}', 'there is no rate in it'],
  ])('%# is refused', (text, message) => {
    expect(said(() => parseRatesJson(text))).toBe(message);
  });
});
