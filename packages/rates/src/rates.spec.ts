import { describe, expect, it } from '@jest/globals';
import { Currency } from '@jetton-analytics/common';
import * as fc from 'fast-check';
import { bundledRates } from './bundled.js';
import { dayOf } from './days.js';
import { fiats } from './fiats.js';
import { type DayRate, Rates } from './rates.js';

const rate = (value: bigint) => ({ value, decimals: 2 });
const row = (day: string, value: bigint, currency: DayRate['currency'] = 'eur'): DayRate => ({
  day,
  currency,
  rate: rate(value),
});

describe('the rate of a day', () => {
  const rates = Rates.of([row('2026-03-05', 93n), row('2026-03-01', 91n), row('2026-03-03', 92n)]);

  it.each([
    ['2026-03-01', 91n],
    ['2026-03-03', 92n],
    ['2026-03-05', 93n],
  ])('is the one known of it: %s', (day, value) => {
    expect(rates.on('eur', day)).toEqual(rate(value));
  });

  it('that is missing is that of the last known day before it', () => {
    expect(rates.on('eur', '2026-03-02')).toEqual(rate(91n));
    expect(rates.on('eur', '2026-03-04')).toEqual(rate(92n));
    expect(rates.on('eur', '2030-01-01')).toEqual(rate(93n));
  });

  it('is the first known one for anything earlier', () => {
    expect(rates.on('eur', '2026-02-28')).toEqual(rate(91n));
    expect(rates.on('eur', '1970-01-01')).toEqual(rate(91n));
  });

  it('is asked currency by currency: another currency’s days fill no gap', () => {
    const both = rates.with([row('2026-03-04', 150n, 'jpy')]);
    expect(both.on('eur', '2026-03-04')).toEqual(rate(92n));
    expect(both.on('jpy', '2026-03-05')).toEqual(rate(150n));
  });

  it('is 1 for usd always, unknown for a currency without a day, and none for ton', () => {
    expect(Rates.none.on('usd', '2026-03-05')).toEqual({ value: 1n, decimals: 0 });
    expect(rates.on('jpy', '2026-03-05')).toBeUndefined();
    expect(() => rates.on('ton', '2026-03-05')).toThrow(RangeError);
  });

  it('is what a walk over all known days finds', () => {
    const days = fc.integer({ min: 0, max: 60 }).map((offset) => dayOf(1_772_323_200 + offset * 86_400));
    const rows = fc.array(fc.tuple(days, fc.bigInt({ min: 1n, max: 999n })), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(rows, days, (given, asked) => {
        const known = new Map(given);
        const ordered = [...known.keys()].toSorted();
        const expected = ordered.findLast((day) => day <= asked) ?? ordered[0] ?? '';
        const all = Rates.of(given.map(([day, value]) => row(day, value)));
        expect(all.on('eur', asked)).toEqual(rate(known.get(expected) ?? 0n));
      }),
    );
  });
});

describe('rates', () => {
  it('do not change: more of them make another object', () => {
    const before = Rates.of([row('2026-03-01', 91n)]);
    const after = before.with([row('2026-03-01', 95n), row('2026-03-02', 96n)]);
    expect(before.on('eur', '2026-03-02')).toEqual(rate(91n));
    expect(after.on('eur', '2026-03-01')).toEqual(rate(95n));
    expect(after.newestDay).toBe('2026-03-02');
    expect(before.with([])).toBe(before);
    expect(Rates.none.newestDay).toBeUndefined();
  });
});

describe('the bundled rates', () => {
  it('know every fiat of the interface on one day', () => {
    expect(fiats).toHaveLength(53);
    expect([...fiats, 'ton'].toSorted()).toEqual(Currency.options.toSorted());
    const rates = Rates.of(bundledRates());
    for (const fiat of fiats) expect([fiat, rates.on(fiat, '2026-01-01')?.value ?? 0n]).not.toEqual([fiat, 0n]);
    expect(new Set(bundledRates().map(({ day }) => day)).size).toBe(1);
  });
});

describe('the UTC day of an instant', () => {
  it('changes at midnight', () => {
    expect(dayOf(1_641_340_799)).toBe('2022-01-04');
    expect(dayOf(1_641_340_800)).toBe('2022-01-05');
  });
});
