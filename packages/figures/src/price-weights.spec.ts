import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fifthRoot, priceWeights } from './price-weights.js';

describe('W(k)', () => {
  it('is the greatest integer c with c^5 ≤ 2^(320−k), for each of the 60 minutes', () => {
    expect(priceWeights).toHaveLength(60);
    priceWeights.forEach((c, k) => {
      const limit = 1n << BigInt(320 - k);
      expect(c ** 5n <= limit && (c + 1n) ** 5n > limit).toBe(true);
    });
  });

  it('has a half-life of five minutes: W(0) = 2^64, W(5) = 2^63, W(10) = 2^62', () => {
    expect([0, 5, 10].map((k) => priceWeights[k])).toEqual([1n << 64n, 1n << 63n, 1n << 62n]);
  });

  it('between them is what an integer root worked out elsewhere gives', () => {
    expect(priceWeights[1]).toBe(16_058_823_444_347_289_866n); // floor(2^63.8)
    expect(priceWeights[59]).toBe(5_173_277_483_525_748n); // floor(2^52.2)
  });
});

describe('the fifth root', () => {
  it('is exact at and next to fifth powers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (c) => {
        expect(fifthRoot(c ** 5n)).toBe(c);
        expect(fifthRoot(c ** 5n - 1n)).toBe(c - 1n);
      }),
    );
    expect(fifthRoot(0n)).toBe(0n);
  });
});
