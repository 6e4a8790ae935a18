import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Currency, Problem, VolumeChangesList } from '@jetton-analytics/common';
import { type WindowA, windowsB } from '@jetton-analytics/figures';
import { type DayRate, type Fiat, fiats } from '@jetton-analytics/rates';
import { pollUntil } from '@jetton-analytics/testing';
import { day } from './busy-jetton.js';
import {
  all,
  at,
  type BusyJetton,
  first,
  keyed,
  second,
  silent,
  startOverChanges,
  unknown,
} from './changed-jettons.js';
import { amount, amountChange, numbersFrom, scaledUp } from './naive.js';
import type { SeededMarket } from './seeded-market.js';
import type { RunningStatistics } from './start-statistics.js';

// Rates of every third day only, so that days between, before and after must fall back.
const rateDays = [8, 5, 2];
const rateText = (fiat: Fiat, daysBefore: number): string =>
  `${(fiats.indexOf(fiat) + 1) * 7}.${String(numbersFrom(daysBefore)()).padStart(10, '0')}`;
const dayRates: DayRate[] = fiats.flatMap((currency) =>
  currency === 'usd'
    ? []
    : rateDays.map((daysBefore) => {
        const [whole = '', fraction = ''] = rateText(currency, daysBefore).split('.');
        const rate = { value: BigInt(whole + fraction), decimals: fraction.length };
        return { day: day(daysBefore), currency, rate };
      }),
);

let market: SeededMarket;
let app: RunningStatistics;

beforeAll(async () => {
  ({ market, app } = await startOverChanges((seeded) => seeded.rates(dayRates)));
}, 480_000);
afterAll(async () => {
  await app?.app.close();
  await market?.close();
});

/** Σ volume × rate of its day, from the days and rates themselves. */
function naiveVolume(jetton: BusyJetton, window: WindowA, currency: Currency, half: 0 | 1) {
  const seeded = jetton.windows(window);
  if (currency === 'ton') {
    const [buy, sell] = [scaledUp(seeded.volumeTonBuy[half]), scaledUp(seeded.volumeTonSell[half])];
    return { buy, sell, total: buy + sell };
  }
  const name = half === 0 ? 'current' : 'previous';
  const rateOn = (utcDay: string): string => {
    if (currency === 'usd') return '1';
    const known = rateDays.filter((daysBefore) => day(daysBefore) <= utcDay);
    return rateText(currency, known.length === 0 ? Math.max(...rateDays) : Math.min(...known));
  };
  const sumOf = (side: 2 | 3): bigint =>
    seeded.usdByDay
      .filter(([ofHalf]) => ofHalf === name)
      .reduce((sum, part) => sum + (scaledUp(part[side]) * scaledUp(rateOn(part[1]))) / 10n ** 40n, 0n);
  const [buy, sell] = [sumOf(2), sumOf(3)];
  return { buy, sell, total: buy + sell };
}

const expected = (jetton: BusyJetton, currency: Currency) => {
  const decimals = currency === 'ton' ? 9 : 6;
  const group = (name: 'buy' | 'sell' | 'total') =>
    keyed(windowsB, (window) =>
      amountChange(
        amount(naiveVolume(jetton, window, currency, 0)[name], decimals),
        amount(naiveVolume(jetton, window, currency, 1)[name], decimals),
        at(window),
      ),
    );
  return { address: jetton.address, changes: { total: group('total'), buy: group('buy'), sell: group('sell') } };
};

describe('/v1/jettons/trading-volume/change', () => {
  const path = '/v1/jettons/trading-volume/change';
  const textOf = async (body: object) => (await app.post(path, { address: all, ...body })).text();

  it.each(Currency.options)('agrees with the naive sum over days in %s', async (currency) => {
    const response = await app.post(path, { address: all, currency });
    expect(response.status).toBe(200);
    const body = VolumeChangesList.parse(await response.json());
    expect(body.items.slice(0, 2)).toEqual([expected(second, currency), expected(first, currency)]);
    expect([body.items[2]?.address, body.missing]).toEqual([silent.address, [unknown]]);
  });

  it('takes ton where no currency is given, and currencies in upper case', async () => {
    expect(await textOf({})).toBe(await textOf({ currency: 'ton' }));
    expect(await textOf({ currency: 'EUR' })).toBe(await textOf({ currency: 'eur' }));
    expect(await textOf({ currency: 'eur' })).not.toBe(await textOf({}));
  });

  it.each([
    ['an unknown currency', { address: [first.address], currency: 'xau' }, ['currency UNKNOWN_VALUE']],
    ['no address and a currency that is no text', { currency: 5 }, ['address REQUIRED', 'currency WRONG_TYPE']],
    ['101 addresses', { address: Array(101).fill(first.address) }, ['address TOO_MANY']],
    ['a field of another operation', { address: [first.address], limit: 5 }, ['limit UNKNOWN_FIELD']],
  ])('refuses %s', async (_what, body, violations) => {
    const response = await app.post(path, body);
    expect(response.status).toBe(400);
    const { details } = Problem.parse(await response.json());
    expect(details.map(({ field, reason }) => `${field} ${reason}`).toSorted()).toEqual(violations);
  });

  it('has no GET form', async () => {
    const response = await app.get(`${path}?address=${first.address}`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('converts anew when a rate arrives late, as if it had always been there', async () => {
    const asked = { address: [first.address], currency: 'jpy' };
    const before = await textOf(asked);
    const late = Array.from({ length: 20 }, (_, daysBefore) => ({
      day: day(daysBefore),
      currency: 'jpy' as const,
      rate: { value: 150n, decimals: 0 },
    }));
    await market.rates(late);
    await pollUntil(async () => (await textOf(asked)) !== before, { what: 'the late rates' });
    const body = VolumeChangesList.parse(JSON.parse(await textOf(asked)));
    for (const window of windowsB) {
      const inUsd = naiveVolume(first, window, 'usd', 0).total;
      expect(body.items[0]?.changes.total[window].current).toEqual(amount(inUsd * 150n, 6));
    }
  });
});
