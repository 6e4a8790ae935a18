import { describe, expect, it } from '@jest/globals';
import type { Rational } from './exact.js';
import { priceAt, type PricePoint } from './price.js';

const unit = 10n ** 18n; // one of the currency, as V is scaled
const newest = 1_700_000_040;

/** A point `k` minutes before the newest: `volume` of the currency for `jettons` of 9 decimals. */
const point = (k: number, volume: bigint, jettons: bigint): PricePoint => ({
  minute: newest - 60 * k,
  volume: volume * unit,
  amount: jettons * 10n ** 9n,
});

/** The price as an exact reduced fraction of text, so that a failure shows the numbers. */
function reduced(price: Rational | undefined): string | undefined {
  if (price === undefined) return undefined;
  let [a, b] = [price.numerator, price.denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return `${price.numerator / a}/${price.denominator / a}`;
}

describe('the price of a jetton', () => {
  it('is 10^decimals × V/A where there is one point', () => {
    // 5 ton for 2 jettons, in raw units 5 × 10^18 / 10^18 for 2 × 10^9: 10^9 × 5 / (2 × 10^9)
    expect(reduced(priceAt([point(0, 5n, 2n)], 9))).toBe('5/2');
    // the same raw amount of a jetton without decimals, with 18, and with 255
    expect(reduced(priceAt([point(0, 5n, 2n)], 0))).toBe('1/400000000');
    expect(reduced(priceAt([point(0, 5n, 2n)], 18))).toBe('2500000000/1');
    expect(reduced(priceAt([point(0, 5n, 2n)], 255))).toBe(`25${'0'.repeat(245)}/1`);
  });

  it('does not exist without a point', () => {
    expect(priceAt([], 9)).toBeUndefined();
  });

  it('is an average by volume within one minute: Σ V / Σ A', () => {
    // (6 + 3) / (4 + 3): V/A 1.5 and 1 are within a factor of 2
    expect(reduced(priceAt([point(0, 6n, 4n), point(0, 3n, 3n)], 9))).toBe('9/7');
  });

  it('weighs a point five minutes older half as much', () => {
    // W(0) : W(5) = 2 : 1. (1 × 2 + 3 × 1) / (1 × 2 + 2 × 1) = 5/4
    expect(reduced(priceAt([point(0, 1n, 1n), point(5, 3n, 2n)], 9))).toBe('5/4');
  });

  it('weighs by the minutes behind the newest point, not behind t: it does not change while nothing trades', () => {
    const older = [point(0, 1n, 1n), point(5, 3n, 2n)].map((each) => ({ ...each, minute: each.minute - 86_400 }));
    expect(reduced(priceAt(older, 9))).toBe('5/4');
  });

  it('takes the minutes m with L−60 < m ≤ L', () => {
    // 59 minutes behind: inside, with W(59) = 5,173,277,483,525,748
    const w0 = 2n ** 64n;
    const w59 = 5_173_277_483_525_748n;
    const expected = { numerator: w0 + 3n * w59, denominator: w0 + 2n * w59 };
    expect(reduced(priceAt([point(0, 1n, 1n), point(59, 3n, 2n)], 9))).toBe(reduced(expected));
    // 60 behind: outside
    expect(reduced(priceAt([point(0, 1n, 1n), point(60, 3n, 2n)], 9))).toBe('1/1');
  });

  it('leaves out a point beyond a factor of 2 of the weighted median', () => {
    // V/A: 1 (V 4), 10 (V 3). Total 7; running 4, twice 8 ≥ 7: M = 1. 10 > 2 × 1 is out.
    expect(reduced(priceAt([point(0, 30n, 3n), point(0, 40n, 40n)], 9))).toBe('1/1');
    // V/A: 1 (V 3), 10 (V 4). Running 3, twice 6 < 7; then 7: M = 10. 1 < 10/2 is out.
    expect(reduced(priceAt([point(0, 30n, 30n), point(0, 40n, 4n)], 9))).toBe('10/1');
  });

  it('keeps the points at exactly M/2 and 2M', () => {
    // V/A: 0.5 (V 1), 1 (V 4), 2 (V 2). Total 7; running 1, 5, twice 10 ≥ 7: M = 1. All in: 7 / (2 + 4 + 1).
    expect(reduced(priceAt([point(0, 1n, 2n), point(0, 4n, 4n), point(0, 2n, 1n)], 9))).toBe('1/1');
    // one raw unit less jetton: V/A is just above 2M and out: 5 / 6
    const above = { minute: newest, volume: 2n * unit, amount: 10n ** 9n - 1n };
    expect(reduced(priceAt([point(0, 1n, 2n), point(0, 4n, 4n), above], 9))).toBe('5/6');
    // one raw unit more jetton: V/A is just below M/2 and out: 6 / 5
    const below = { minute: newest, volume: unit, amount: 2n * 10n ** 9n + 1n };
    expect(reduced(priceAt([below, point(0, 4n, 4n), point(0, 2n, 1n)], 9))).toBe('6/5');
  });

  it('takes as median the first point at which twice the running sum reaches the total', () => {
    // V/A 1 and 3 of equal weight: twice the first running sum is the total, so M = 1 and 3 is out
    expect(reduced(priceAt([point(0, 3n, 1n), point(0, 3n, 3n)], 9))).toBe('1/1');
  });

  it('weighs the median by V·W(k), so that a newer point counts for more', () => {
    // V/A 1 (V 6, k 0): weight 12; V/A 10 (V 10, k 5): weight 10. Running 12, twice 24 ≥ 22: M = 1
    expect(reduced(priceAt([point(0, 6n, 6n), point(5, 10n, 1n)], 9))).toBe('1/1');
    // in the same minute: 6 of 16, twice 12 < 16: M = 10
    expect(reduced(priceAt([point(0, 6n, 6n), point(0, 10n, 1n)], 9))).toBe('10/1');
  });

  it('is the same in whichever order points of equal V/A stand', () => {
    // V/A 1 twice (V 2 and 6), 4 once (V 8): M = 1 at the second of them, in either order
    const points = [point(0, 2n, 2n), point(3, 6n, 6n), point(0, 8n, 2n)];
    const [a, b, c] = points as [PricePoint, PricePoint, PricePoint];
    const prices = [points, [b, a, c], [c, b, a], [c, a, b]].map((order) => reduced(priceAt(order, 9)));
    expect(new Set(prices).size).toBe(1);
  });

  it('needs volume and amount for a point: other rows neither count nor make a minute the newest', () => {
    const empty = [
      { minute: newest + 7_200, volume: 0n, amount: 5n },
      { minute: newest + 7_200, volume: 5n, amount: 0n },
    ];
    expect(reduced(priceAt([...empty, point(0, 1n, 1n), point(5, 3n, 2n)], 9))).toBe('5/4');
    expect(priceAt(empty, 9)).toBeUndefined();
  });

  it('stays exact for sums beyond the range of floats', () => {
    const huge = 10n ** 400n;
    const points = [
      { minute: newest, volume: unit * huge, amount: 10n ** 9n * huge },
      { minute: newest, volume: 2n * unit * huge + 1n, amount: 10n ** 9n * huge }, // just above twice the first
    ];
    // M is the second point's V/A (its weight is more than half); the first is just below M/2 and out
    expect(reduced(priceAt(points, 9))).toBe(reduced({ numerator: 2n * unit * huge + 1n, denominator: unit * huge }));
    // 1 / (17 × 10^307) is a float just above 0, 1 / (20 × 10^307) is none: yet they are within a factor of 2
    const faint = [17n, 20n].map((times) => ({ minute: newest, volume: 1n, amount: times * 10n ** 307n }));
    expect(reduced(priceAt(faint, 18))).toBe(reduced({ numerator: 2n, denominator: 37n * 10n ** 307n }));
  });
});
