import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { explainPrice, type PoolPoint } from './naive-price.js';

const at = 1_773_136_817;
const minute = at - (at % 60);
const point = (pool: string, age: number, volume: bigint, amount: bigint): PoolPoint => ({
  pool,
  minute: minute - age * 60,
  volume: volume * 10n ** 18n,
  amount,
  legs: 1,
});

describe('explainPrice', () => {
  it('says which point is the median, which count and which are too far from it', () => {
    const points = [point('a', 0, 10n, 10n), point('b', 0, 19n, 10n), point('c', 5, 21n, 10n), point('d', 61, 9n, 1n)];
    const explained = explainPrice('ton', at, points, 0);
    expect(explained.points.map(({ pool, isMedian, isCounted }) => [pool, isMedian, isCounted])).toEqual([
      ['a', false, true],
      ['b', true, true],
      ['c', false, true],
    ]);
    // Five minutes are one half-life: c weighs half.
    expect(BigInt(explained.points[0]?.weight ?? 0)).toBe(10n * 10n ** 18n * 2n ** 64n);
    expect(BigInt(explained.points[2]?.weight ?? 0)).toBe(21n * 10n ** 18n * 2n ** 63n);
    expect(explained.price).toEqual({ value: '158000000000', decimals: 11 });
  });

  it('is no price without a point', () => {
    expect(explainPrice('usd', at, [point('a', 0, 0n, 5n)], 9)).toEqual({
      currency: 'usd',
      at: '2026-03-10T10:00:17Z',
      price: { value: '0', decimals: 6 },
      points: [],
    });
  });

  it('is what packages/figures calculates, whatever the points: it throws where it is not', () => {
    const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 1n, max: 10n ** 24n }));
    const points = fc.array(
      fc.record({ pool: fc.constantFrom('', 'a', 'b'), age: fc.nat({ max: 70 }), volume: amounts, amount: amounts }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(points, fc.nat({ max: 30 }), (list, decimals) => {
        const given = list.map(({ pool, age, volume, amount }) => point(pool, age, volume, amount));
        expect(() => explainPrice('ton', at, given, decimals)).not.toThrow();
      }),
    );
  });
});
