import { describe, expect, it } from '@jest/globals';
import { priceAt, type PricePoint } from '@jetton-analytics/figures';
import { array, assert, bigInt, constantFrom, integer, property, record } from 'fast-check';
import { priceSteps } from './price-steps.js';

const point = (minute: number, volume: bigint, amount: bigint): PricePoint => ({ minute, volume, amount });
const hour = 3_600;

describe('points of a price chart', () => {
  it('carry the price at the end of each step, also where nothing traded in it', () => {
    const steps = priceSteps([point(hour, 5n, 1n), point(3 * hour, 7n, 1n)], {
      from: 0,
      to: 5 * hour,
      stepSeconds: hour,
      decimals: 18,
    });
    expect(
      steps.map(({ start, price, isNew }) => [start / hour, Number(price.numerator / price.denominator), isNew]),
    ).toEqual([
      [1, 5, true],
      [2, 5, false],
      [3, 7, true],
      [4, 7, false],
    ]);
  });

  it('begin with the price before the range', () => {
    const steps = priceSteps([point(-600, 5n, 1n)], { from: 0, to: hour, stepSeconds: hour, decimals: 18 });
    expect(steps).toMatchObject([{ start: 0, isNew: false }]);
  });

  it('are the price of the definition at each instant, whatever the points', () => {
    const seed = Number(process.hrtime.bigint() % 1_000_000n);
    const minutes = integer({ min: -90, max: 600 }).map((minute) => minute * 60);
    const anyPoint = record({
      minute: minutes,
      volume: bigInt({ min: 0n, max: 10n ** 24n }),
      amount: bigInt({ min: 0n, max: 10n ** 15n }),
    });
    assert(
      property(array(anyPoint, { maxLength: 60 }), constantFrom(60, 900, hour), (points, stepSeconds) => {
        const steps = priceSteps(
          points.filter(({ volume, amount }) => volume > 0n && amount > 0n),
          { from: 0, to: 10 * hour, stepSeconds, decimals: 9 },
        );
        const byStart = new Map(steps.map(({ start, price }) => [start, price]));
        for (let start = 0; start < 10 * hour; start += stepSeconds) {
          const naive = priceAt(
            points.filter(({ minute }) => minute < start + stepSeconds),
            9,
          );
          expect(byStart.get(start)).toEqual(naive);
        }
      }),
      { seed },
    );
  });
});
