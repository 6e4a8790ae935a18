import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Rational } from './exact.js';
import { priceAt, type PricePoint } from './price.js';

const compare = (a: Rational, b: Rational): number => {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
const times = (a: Rational, numerator: bigint, denominator = 1n): Rational => ({
  numerator: a.numerator * numerator,
  denominator: a.denominator * denominator,
});
const ratio = ({ volume, amount }: PricePoint): Rational => ({ numerator: volume, denominator: amount });

/** W(k) by counting down bits: the greatest c with c^5 ≤ 2^(320−k). */
function weight(k: number): bigint {
  let c = 0n;
  for (let bit = 64n; bit >= 0n; bit -= 1n) if ((c + (1n << bit)) ** 5n <= 1n << BigInt(320 - k)) c += 1n << bit;
  return c;
}
const weights = Array.from({ length: 60 }, (_, k) => weight(k));

/** The text of docs/statistics.md, step by step, in fractions alone. */
function naive(points: PricePoint[], decimals: number): { price: Rational; median: Rational } | undefined {
  if (points.length === 0) return undefined;
  const newest = points.reduce((greatest, { minute }) => Math.max(greatest, minute), 0);
  const taken = points
    .filter(({ minute }) => minute > newest - 3_600)
    .map((each) => ({ ...each, w: weights[(newest - each.minute) / 60] ?? 0n }))
    .sort((a, b) => compare(ratio(a), ratio(b)));
  const total = taken.reduce((sum, { volume, w }) => sum + volume * w, 0n);
  let running = 0n;
  const first = taken.find(({ volume, w }) => 2n * (running += volume * w) >= total);
  if (first === undefined) return undefined;
  const median = ratio(first);
  const near = taken.filter(
    (each) => compare(times(ratio(each), 2n), median) >= 0 && compare(ratio(each), times(median, 2n)) <= 0,
  );
  const volume = near.reduce((sum, each) => sum + each.volume * each.w, 0n);
  const amount = near.reduce((sum, each) => sum + each.amount * each.w, 0n);
  const scale = { numerator: 10n ** BigInt(decimals), denominator: 10n ** 18n };
  return {
    price: { numerator: volume * scale.numerator, denominator: amount * scale.denominator },
    median: times(median, scale.numerator, scale.denominator),
  };
}

const minute = fc.integer({ min: 0, max: 90 }).map((k) => 1_700_000_040 - 60 * k);
const decimals = fc.constantFrom(0, 6, 9, 18, 30);
const amount = fc.bigInt({ min: 1n, max: 2n ** 120n });

/** Points of any price, of prices around one, and of prices next to exact powers of two of one. */
const anyPoint = fc.record({ minute, volume: fc.bigInt({ min: 1n, max: 10n ** 36n }), amount });
const nearPoint = fc
  .record({ minute, amount, percent: fc.bigInt({ min: 30n, max: 300n }) })
  .map(({ percent, ...each }) => ({ ...each, volume: (each.amount * percent) / 100n + 1n }));
const edgePoint = fc
  .record({ minute, amount, power: fc.bigInt({ min: 0n, max: 3n }), off: fc.bigInt({ min: -1n, max: 1n }) })
  .map(({ power, off, ...each }) => ({ ...each, volume: each.amount * 2n ** power + off }))
  .filter(({ volume }) => volume > 0n);
const points = fc.oneof(
  ...[anyPoint, nearPoint, edgePoint].map((each) => fc.array(each, { minLength: 1, maxLength: 40 })),
);

// Shrinking a failure of long lists of long integers takes minutes: stop it and report the smallest found so far.
const bounded = { interruptAfterTimeLimit: 10_000 };

describe('the price of a jetton', () => {
  it('is what the definition gives when it is worked out in fractions alone', () => {
    fc.assert(
      fc.property(points, decimals, (some, places) => {
        const price = priceAt(some, places);
        const expected = naive(some, places);
        expect(price !== undefined && expected !== undefined && compare(price, expected.price) === 0).toBe(true);
      }),
      { ...bounded, numRuns: 1_000 },
    );
  });

  it('lies between half and twice the weighted median', () => {
    fc.assert(
      fc.property(points, (some) => {
        const price = priceAt(some, 9);
        const median = naive(some, 9)?.median;
        if (price === undefined || median === undefined) throw new Error('no price');
        expect(compare(times(price, 2n), median)).toBeGreaterThanOrEqual(0);
        expect(compare(price, times(median, 2n))).toBeLessThanOrEqual(0);
      }),
      bounded,
    );
  });

  it('does not depend on the order of the points', () => {
    const shuffled = points.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length })),
    );
    fc.assert(
      fc.property(shuffled, ([some, other]) => {
        const [a, b] = [priceAt(some, 9), priceAt(other, 9)];
        expect(a !== undefined && b !== undefined && compare(a, b) === 0).toBe(true);
      }),
      bounded,
    );
  });

  it('of a jetton with more decimals and as many times the raw amount is the same', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 12 }), (some, more) => {
        const finer = some.map((each) => ({ ...each, amount: each.amount * 10n ** BigInt(more) }));
        const [a, b] = [priceAt(some, 6), priceAt(finer, 6 + more)];
        expect(a !== undefined && b !== undefined && compare(a, b) === 0).toBe(true);
      }),
      bounded,
    );
  });

  it('grows by the factor by which all volumes grow', () => {
    fc.assert(
      fc.property(points, fc.bigInt({ min: 1n, max: 10n ** 12n }), (some, factor) => {
        const larger = some.map((each) => ({ ...each, volume: each.volume * factor }));
        const [a, b] = [priceAt(some, 9), priceAt(larger, 9)];
        expect(a !== undefined && b !== undefined && compare(times(a, factor), b) === 0).toBe(true);
      }),
      bounded,
    );
  });

  it('cannot be dragged by a pool with less than half of the weight beyond a factor of 2 of the others', () => {
    // All in one minute, so that the weight is the volume. The others lie between 1 and 1.5 raw units each.
    const honest = fc
      .record({ amount: fc.bigInt({ min: 10n ** 9n, max: 10n ** 18n }), percent: fc.bigInt({ min: 100n, max: 150n }) })
      .map(({ amount: raw, percent }) => ({ minute: 0, volume: (raw * percent) / 100n, amount: raw }));
    const scenario = fc.tuple(
      fc.array(honest, { minLength: 1, maxLength: 10 }),
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      fc.bigInt({ min: 1n, max: 99n }),
    );
    fc.assert(
      fc.property(scenario, ([others, raw, share]) => {
        const whole = others.reduce((sum, { volume }) => sum + volume, 0n);
        const pool = { minute: 0, volume: (whole * share) / 100n, amount: raw };
        const price = priceAt([...others, pool], 18);
        if (price === undefined) throw new Error('no price');
        expect(compare(times(price, 2n), { numerator: 1n, denominator: 1n })).toBeGreaterThanOrEqual(0);
        expect(compare(price, { numerator: 3n, denominator: 1n })).toBeLessThanOrEqual(0);
      }),
      { ...bounded, numRuns: 500 },
    );
  });
});
