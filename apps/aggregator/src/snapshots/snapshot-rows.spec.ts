import { describe, expect, it } from '@jest/globals';
import type { AmountText } from '@jetton-analytics/figures';
import { type EmittedPrices, jettonWindows, marketWindows } from './snapshot-rows.js';
import { marketSummedColumns, summedColumns, type WindowSums } from './window-sums.query.js';

/** Every price tells which one it is: anchor and currency. */
const price = (value: number): AmountText => ({ value: String(value), decimals: 9 });
const prices: EmittedPrices = {
  jettonPrice: (anchor) => ({
    ton: price(anchor * 10 + 1),
    usd: price(anchor * 10 + 2),
    changedAt: { ton: 0, usd: 0 },
  }),
  marketPrice: (anchor) => price(anchor * 10 + 3),
};

/** Current is the column's number, previous the same plus 100. */
const sums: WindowSums = summedColumns.flatMap((_, index) => [String(index + 1), String(index + 101)]);
const marketSums: WindowSums = marketSummedColumns.flatMap((_, index) => [String(index + 1), String(index + 101)]);
const zeros = summedColumns.flatMap(() => ['0', '0']);
const market = { jetton: '0:a', pool: '0:p' };

describe('the row of a jetton', () => {
  it('holds each window with current and previous of every sum, and prices at C and at C − w of that window', () => {
    expect(jettonWindows('mid', '0:a', { hour6: sums, hour12: sums, day: sums }, prices)).toEqual([
      ['hour6', ...sums, ['1', 9], ['11', 9], ['2', 9], ['12', 9]],
      ['hour12', ...sums, ['1', 9], ['21', 9], ['2', 9], ['22', 9]],
      ['day', ...sums, ['1', 9], ['31', 9], ['2', 9], ['32', 9]],
    ]);
  });

  it('is zeros where no window holds a leg, and keeps its prices', () => {
    expect(jettonWindows('short', '0:a', {}, prices)).toEqual([
      ['min15', ...zeros, ['1', 9], ['11', 9], ['2', 9], ['12', 9]],
      ['hour', ...zeros, ['1', 9], ['21', 9], ['2', 9], ['22', 9]],
    ]);
  });
});

describe('the row of a market', () => {
  it('adds up both sides of transactions and of usd volume, takes traders as they are, and its own prices', () => {
    // transactions 1 + 2 and 101 + 102, traders 3 and 103, volume_usd 4 + 5 and 104 + 105
    const figures = ['3', '203', '3', '103', '9', '209'];
    expect(marketWindows('long', market, { week: marketSums, month: marketSums }, prices)).toEqual([
      ['week', ...figures, ['3', 9], ['13', 9]],
      ['month', ...figures, ['3', 9], ['23', 9]],
    ]);
  });

  it('adds volumes exactly, beyond what a double or 64 bits hold', () => {
    const large = marketSums.map(() => '0');
    const [buy, sell] = (['volume_usd_buy', 'volume_usd_sell'] as const).map(
      (one) => marketSummedColumns.indexOf(one) * 2,
    );
    if (buy === undefined || sell === undefined) throw new Error('markets have no usd volumes');
    large[buy] = '99999999999999999999999999.000000000000000001';
    large[sell] = '1.999999999999999999';
    const [week] = marketWindows('long', market, { week: large }, prices);
    expect(week?.[5]).toBe('100000000000000000000000001');
  });

  it('is zeros where no window holds a leg', () => {
    expect(marketWindows('mid', market, {}, prices)[0]?.slice(0, 7)).toEqual(['hour6', '0', '0', '0', '0', '0', '0']);
  });
});
