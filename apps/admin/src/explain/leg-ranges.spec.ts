import { describe, expect, it } from '@jest/globals';
import { legRanges } from './leg-ranges.js';

const day = 86_400;

describe('legRanges', () => {
  it('reads sparse days together and a busy day alone, within the bounds', () => {
    const perDay = [
      { day_s: 0, legs: 10 },
      { day_s: 3 * day, legs: 20 },
      { day_s: 4 * day, legs: 60_000 },
      { day_s: 5 * day, legs: 49_999 },
      { day_s: 6 * day, legs: 1 },
      { day_s: 7 * day, legs: 1 },
    ];
    expect(legRanges(perDay, { from: 60, to: 7 * day + 120 })).toEqual([
      { from: 60, to: 4 * day },
      { from: 4 * day, to: 5 * day },
      { from: 5 * day, to: 7 * day },
      { from: 7 * day, to: 7 * day + 120 },
    ]);
  });

  it('are none without rows', () => {
    expect(legRanges([], { from: 0, to: day })).toEqual([]);
  });
});
