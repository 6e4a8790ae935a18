import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { swap } from './constant-product.js';

const raw = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe('swap', () => {
  it('moves the reserves by exactly what goes in and out, and never lets their product fall', () => {
    fc.assert(
      fc.property(
        raw,
        raw,
        raw,
        fc.boolean(),
        fc.integer({ min: 0, max: 500 }),
        (left, right, amountIn, soldLeft, fee) => {
          const done = swap({ left, right }, soldLeft, amountIn, fee);
          if (!done) return;
          const { amountOut, reserves } = done;
          expect(amountOut).toBeGreaterThan(0n);
          expect(reserves.left).toBe(soldLeft ? left + amountIn : left - amountOut);
          expect(reserves.right).toBe(soldLeft ? right - amountOut : right + amountIn);
          expect(reserves.left > 0n && reserves.right > 0n).toBe(true);
          expect(reserves.left * reserves.right).toBeGreaterThanOrEqual(left * right);
        },
      ),
    );
  });

  it('does nothing where nothing goes in or nothing would come out', () => {
    expect(swap({ left: 1000n, right: 1000n }, true, 0n, 30)).toBeUndefined();
    expect(swap({ left: 10n ** 30n, right: 10n }, true, 1n, 30)).toBeUndefined();
  });
});
