import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { logPoints } from './log-points.js';

/** By integers alone: the greatest p with x^(full/2) ≥ 10^(2p − 1), found by bisection. */
function byIntegers(numerator: bigint, denominator: bigint, full: number): number {
  const exponent = BigInt(full / 2);
  const left = numerator ** exponent;
  const right = denominator ** exponent;
  let low = 0;
  let high = full;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (left >= 10n ** BigInt(2 * middle - 1) * right) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The least whole n with n^power ≥ 10^exponent. */
function rootOfTenPower(exponent: number, power: number): bigint {
  const target = 10n ** BigInt(exponent);
  let low = 1n;
  let high = 10n ** BigInt(Math.ceil(exponent / power) + 1);
  while (low < high) {
    const middle = (low + high) / 2n;
    if (middle ** BigInt(power) >= target) high = middle;
    else low = middle + 1n;
  }
  return low;
}

describe('points by a logarithm', () => {
  it('are what integers alone give', () => {
    const x = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(x, fc.constantFrom(1_500, 2_500), (numerator, full) => {
        expect(logPoints({ numerator, denominator: 10n ** 8n }, full)).toBe(byIntegers(numerator, 10n ** 8n, full));
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 2, 313, 625, 1_249, 2_500])(
    'change between the last number below the edge of %d hundredths and the first at it, 12 digits deep',
    (hundredths) => {
      // x = n / 10^12 with n^1250 next to 10^(2p − 1 + 12 × 1250)
      const digits = 12;
      const denominator = 10n ** BigInt(digits);
      const first = rootOfTenPower(2 * hundredths - 1 + digits * 1_250, 1_250);
      expect(logPoints({ numerator: first, denominator }, 2_500)).toBe(hundredths);
      expect(logPoints({ numerator: first - 1n, denominator }, 2_500)).toBe(hundredths - 1);
    },
  );

  it('are 0 up to 1 and full from 10^4 on, for numbers beyond every float', () => {
    const huge = 10n ** 400n;
    expect(logPoints({ numerator: 0n, denominator: 1n }, 2_500)).toBe(0);
    expect(logPoints({ numerator: huge, denominator: huge + 1n }, 2_500)).toBe(0);
    expect(logPoints({ numerator: huge * 100n, denominator: huge }, 2_500)).toBe(1_250);
    expect(logPoints({ numerator: huge * 10_000n, denominator: huge }, 2_500)).toBe(2_500);
    expect(logPoints({ numerator: huge * huge, denominator: 1n }, 2_500)).toBe(2_500);
  });
});
