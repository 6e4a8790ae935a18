import { describe, expect, it } from '@jest/globals';
import { defaultAssets } from './assets.js';
import { counterpartOf, counterpartPriceAt } from './counterpart.js';
import type { Leg } from './legs.js';
import { priceAt, weightOf } from './price.js';
import { jettonA, jettonB, newYear, pool1, pool2, usdt } from './sample-trades.js';

const minute = 60;
const unit = 10n ** 18n;

/** A leg of A against TON; `ton` and `jettons` in whole coins. */
function leg(secondsIn: number, ton: bigint, jettons: bigint, overrides: Partial<Leg> = {}): Leg {
  return {
    eventId: String(secondsIn).padStart(6, '0'),
    txHashHex: '',
    project: null,
    eventTime: newYear + secondsIn,
    pool: pool1,
    trader: null,
    side: 'buy',
    jetton: jettonA,
    amount: jettons * 10n ** 9n,
    other: 'ton',
    otherAmount: ton * 10n ** 9n,
    volumeUsd: 5n * ton * unit,
    volumeTon: ton * unit,
    ...overrides,
  };
}

function reduced(numerator: bigint, denominator: bigint): string {
  const divisor = (x: bigint, y: bigint): bigint => (y === 0n ? x : divisor(y, x % y));
  const common = divisor(numerator, denominator);
  return `${numerator / common}/${denominator / common}`;
}

/** The price as a reduced fraction's text. */
function priceText(secondsIn: number, legs: Leg[], currency: 'ton' | 'usd' = 'ton'): string {
  const price = priceAt(newYear + secondsIn, jettonA, legs, currency, defaultAssets);
  return price === undefined ? 'none' : reduced(price.numerator, price.denominator);
}

describe('the oracle’s price of a jetton', () => {
  it('weighs a point by a half-life of five minutes', () => {
    expect([weightOf(0), weightOf(5), weightOf(55)]).toEqual([2n ** 64n, 2n ** 63n, 2n ** 53n]);
    const w1 = weightOf(1);
    expect([w1 ** 5n <= 2n ** 319n, (w1 + 1n) ** 5n > 2n ** 319n]).toEqual([true, true]);
  });

  it('is volume over amount of the legs before t', () => {
    const legs = [leg(0, 10n, 4n), leg(30, 20n, 4n)];
    expect([priceText(0, legs), priceText(30, legs), priceText(31, legs), priceText(31, legs, 'usd')]).toEqual([
      'none',
      '5/2',
      '15/4', // (10 + 20) / (4 + 4): the part of the minute before t
      '75/4',
    ]);
  });

  it('halves the weight of a point five minutes older', () => {
    // (10·½ + 10) / (10·½ + 8) = 15/13
    expect(priceText(400, [leg(0, 10n, 10n), leg(5 * minute, 10n, 8n)])).toBe('15/13');
  });

  it('counts the sixty minutes up to the newest priced one', () => {
    const newest = leg(60 * minute, 1n, 1n);
    expect(priceText(9_999, [leg(59, 3n, 2n), newest])).toBe('1/1');
    // k = 59: (3·W(59) + W(0)) / (2·W(59) + W(0))
    const w = weightOf(59);
    expect(priceText(9_999, [leg(60, 3n, 2n), newest])).toBe(reduced(3n * w + 2n ** 64n, 2n * w + 2n ** 64n));
  });

  it('drops points beyond a factor of two from the weighted median, and keeps those at it', () => {
    // Prices 1 and 4 with weights 100 and 40: the median is 1, and 4 is dropped.
    expect(priceText(60, [leg(0, 100n, 100n), leg(1, 40n, 10n, { pool: pool2 })])).toBe('1/1');
    // Price 2 = twice the median stays: (100 + 40) / (100 + 20).
    expect(priceText(60, [leg(0, 100n, 100n), leg(1, 40n, 20n, { pool: pool2 })])).toBe('7/6');
    // Equal weights: the lower one is the median, and 3 is beyond twice of it.
    expect(priceText(60, [leg(0, 60n, 20n), leg(1, 60n, 60n, { pool: null })])).toBe('1/1');
  });

  it('takes only legs against a quote asset, of known worth, of at least one usd', () => {
    const good = leg(0, 6n, 2n);
    const ignored = [
      leg(1, 60n, 2n, { other: jettonB }),
      leg(2, 60n, 2n, { volumeTon: null }),
      leg(3, 60n, 2n, { volumeUsd: null }),
      leg(4, 60n, 2n, { volumeUsd: unit - 1n }),
      leg(5, 60n, 2n, { volumeTon: 0n }),
    ];
    expect(priceText(60, [good, ...ignored])).toBe('3/1');
    expect(priceText(60, [leg(0, 1n, 1n, { volumeUsd: unit })], 'usd')).toBe('1/1');
  });
});

describe('the oracle’s counterpart price', () => {
  const usd = usdt.toLowerCase();
  const against = { other: usd, otherAmount: 3_000_000n, volumeUsd: 3n * unit };

  it('is against the asset of the newest leg that counts, by event time, then event id', () => {
    const legs = [leg(0, 1n, 1n, { eventId: '2', ...against }), leg(0, 1n, 1n, { eventId: '1' })];
    expect(counterpartOf(newYear + 1, legs, defaultAssets)).toBe(usd);
    const tiny = leg(5, 1n, 1n, { volumeUsd: unit - 1n });
    expect(counterpartOf(newYear + 9, [...legs, tiny], defaultAssets)).toBe(usd);
    expect(counterpartOf(newYear, legs, defaultAssets)).toBeUndefined();
  });

  it('is the sum of one side over the sum of the other in the last minute that counts', () => {
    const legs = [leg(0, 1n, 2n, against), leg(70, 1n, 2n, against), leg(80, 1n, 4n, against), leg(90, 1n, 7n)];
    const price = (t: number) => counterpartPriceAt(newYear + t, jettonA, usd, legs, defaultAssets);
    // (3 + 3) usdt / (2 + 4) A, decimals 6 and 9
    expect(price(100)).toEqual({ numerator: 6_000_000n * 10n ** 9n, denominator: 6_000_000_000n * 10n ** 6n });
    expect(price(75)).toEqual({ numerator: 3_000_000n * 10n ** 9n, denominator: 2_000_000_000n * 10n ** 6n });
    expect(price(0)).toBeUndefined();
  });

  it('asks raw amounts of a thousand where the worth is not known', () => {
    const named = [
      [1000n, 1000n],
      [999n, 1000n],
      [1000n, 999n],
    ].map(([amount = 0n, otherAmount = 0n]) => {
      const dust = leg(0, 1n, 1n, { volumeUsd: null, amount, otherAmount });
      return counterpartOf(newYear + 1, [dust], defaultAssets);
    });
    expect(named).toEqual(['ton', undefined, undefined]);
  });
});
