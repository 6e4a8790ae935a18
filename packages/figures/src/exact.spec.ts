import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addScaled, dividedHalfAway, pow10, rescaled } from './exact.js';

describe('rounding', () => {
  it('is half away from zero on both sides', () => {
    const halves: [bigint, bigint, bigint][] = [
      [5n, 2n, 3n], // 2.5
      [-5n, 2n, -3n],
      [7n, 3n, 2n], // 2.33…
      [8n, 3n, 3n], // 2.66…
      [-7n, 3n, -2n],
      [-8n, 3n, -3n],
      [1n, 3n, 0n],
      [-1n, 3n, 0n],
      [0n, 7n, 0n],
    ];
    for (const [numerator, denominator, rounded] of halves) {
      expect(dividedHalfAway(numerator, denominator)).toBe(rounded);
    }
  });

  it('is never further than half a unit away', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        (n, d) => {
          const off = 2n * (dividedHalfAway(n, d) * d - n);
          expect(off <= d && off >= -d).toBe(true);
        },
      ),
    );
  });
});

describe('scaled numbers', () => {
  it('keep their worth at a finer scale and are rounded once at a coarser one', () => {
    expect(rescaled({ value: 15n, decimals: 1 }, 4)).toBe(15_000n);
    expect(rescaled({ value: 15_449n, decimals: 4 }, 1)).toBe(15n); // 1.5449 → 1.5
    expect(rescaled({ value: 15_500n, decimals: 4 }, 1)).toBe(16n); // 1.5500 → 1.6
    expect(rescaled({ value: 7n, decimals: 3 }, 3)).toBe(7n);
  });

  it('of different scales are added exactly', () => {
    // 1.05 + 0.0007 = 1.0507
    expect(addScaled({ value: 105n, decimals: 2 }, { value: 7n, decimals: 4 })).toEqual({
      value: 10_507n,
      decimals: 4,
    });
  });

  it('have powers of ten for whole exponents only', () => {
    expect(pow10(0)).toBe(1n);
    expect(pow10(255)).toBe(10n ** 255n);
    expect(() => pow10(-1)).toThrow(RangeError);
    expect(() => pow10(1.5)).toThrow(RangeError);
  });
});
