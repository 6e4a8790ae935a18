import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sharedData } from '@jetton-analytics/testing';
import { parseRatesCsv, parseRatesJson, rateText } from '../src/index.js';

const csv = sharedData('fx/fx_usd_base_daily.csv');
const json = sharedData('fx/fawazahmed0_usd_2026-09-29_full.json');

(csv === undefined ? describe.skip : describe)('the file of 57 real days', () => {
  it('gives every fiat on every day, exactly as it is written there, and ignores ton and other coins', () => {
    const { rows, absent } = parseRatesCsv(readFileSync(csv ?? '', 'utf8'));
    expect(absent).toEqual([]);
    expect(new Set(rows.map(({ day }) => day)).size).toBe(57);
    expect(rows).toHaveLength(57 * 52);
    const eur = rows.find(({ day, currency }) => day === '2024-03-02' && currency === 'eur');
    expect(eur && rateText(eur.rate)).toBe('0.92282179');
  });
});

(json === undefined ? describe.skip : describe)('a real answer of the shape of FX_RATES_URL', () => {
  it('gives every fiat of its day', () => {
    const { rows, absent } = parseRatesJson(readFileSync(json ?? '', 'utf8'));
    expect([rows.length, absent]).toEqual([52, []]);
    expect(new Set(rows.map(({ day }) => day))).toEqual(new Set(['2026-09-29']));
  });
});
