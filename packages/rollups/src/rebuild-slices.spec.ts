import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { rebuildSlices } from './rebuild-slices.js';

const [hour, day] = [3_600, 86_400];

describe('slices of a rebuild', () => {
  it('hold every hour once, each of one day and within the rows, where one hour alone has not more', () => {
    const ledger = fc.uniqueArray(fc.record({ at: fc.nat(200), legs: fc.bigInt(1n, 500n) }), {
      selector: ({ at }) => at,
    });
    fc.assert(
      fc.property(ledger, fc.bigInt(1n, 1_000n), (given, legsMax) => {
        const hours = given
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, legs }) => ({ hour_s: 1_767_225_600 + at * hour, legs }));
        const slices = rebuildSlices(hours, legsMax);
        const held = slices.map((slice) => hours.filter(({ hour_s }) => hour_s >= slice.from && hour_s < slice.to));
        expect(held.flat()).toEqual(hours);
        slices.forEach((slice, index) => {
          const own = held[index] ?? [];
          expect(own.length).toBe(slice.hours);
          expect(Math.floor(slice.from / day)).toBe(Math.floor((slice.to - 1) / day));
          const legs = own.reduce((sum, one) => sum + one.legs, 0n);
          expect(legs <= legsMax || own.length === 1).toBe(true);
        });
      }),
    );
  });

  it('are few where little was traded: one for each day', () => {
    const hours = Array.from({ length: 72 }, (_, index) => ({ hour_s: index * hour, legs: 3n }));
    expect(rebuildSlices(hours, 1_000n)).toEqual(
      [0, 1, 2].map((index) => ({ from: index * day, to: (index + 1) * day, hours: 24, legs: 72n })),
    );
  });
});
