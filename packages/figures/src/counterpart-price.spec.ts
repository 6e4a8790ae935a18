import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { counterpartPriceAt } from './counterpart-price.js';

const row = (minute: number, counterAmount: bigint, amount: bigint) => ({ minute, counterAmount, amount });

describe('the price against the counterpart', () => {
  it('is (Σ counterpart / 10^its decimals) / (Σ jetton / 10^decimals)', () => {
    // 3 + 2 USDT (6 decimals) for 4 + 6 jettons (9 decimals): 0.5
    const rows = [row(60, 3_000_000n, 4_000_000_000n), row(60, 2_000_000n, 6_000_000_000n)];
    // 5,000,000 × 10^3 / 10,000,000,000
    expect(counterpartPriceAt(rows, 6, 9)).toEqual({ numerator: 5_000_000_000n, denominator: 10_000_000_000n });
    // the other way round: 10 jettons per 5 USDT
    const swapped = rows.map((each) => row(each.minute, each.amount, each.counterAmount));
    expect(counterpartPriceAt(swapped, 9, 6)).toEqual({ numerator: 10_000_000_000n, denominator: 5_000_000_000n });
  });

  it('is taken over the last minute with a counting leg only, in whatever order the rows come', () => {
    const rows = [row(120, 7n, 2n), row(60, 1_000n, 1n), row(180, 3n, 1n), row(120, 9n, 9n), row(180, 2n, 4n)];
    expect(counterpartPriceAt(rows, 9, 9)).toEqual({ numerator: 5n, denominator: 5n });
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: 5, maxLength: 5 }), (shuffled) => {
        expect(counterpartPriceAt(shuffled, 9, 9)).toEqual({ numerator: 5n, denominator: 5n });
      }),
    );
  });

  it('passes over a minute whose rows are empty', () => {
    expect(counterpartPriceAt([row(60, 3n, 2n), row(120, 0n, 0n)], 9, 9)).toEqual({ numerator: 3n, denominator: 2n });
  });

  it('does not exist without a counting leg', () => {
    expect(counterpartPriceAt([], 9, 9)).toBeUndefined();
    expect(counterpartPriceAt([row(60, 0n, 0n)], 9, 9)).toBeUndefined();
  });
});
