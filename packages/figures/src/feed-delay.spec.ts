import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { feedDelaySeconds, tradeDelaySeconds } from './feed-delay.js';

const now = 1_700_000_040; // a whole minute
const minute = (minutesAgo: number, counts: Record<string, number>) => ({ minute: now - 60 * minutesAgo, counts });

describe("one trade's delay", () => {
  it('runs from the end of its second to its record time, rounded up to whole seconds, never below 0', () => {
    expect(tradeDelaySeconds(101_000, 100)).toBe(0); // 101,000 − 101,000 = 0 ms
    expect(tradeDelaySeconds(101_001, 100)).toBe(1); // 1 ms
    expect(tradeDelaySeconds(103_000, 100)).toBe(2); // 2,000 ms
    expect(tradeDelaySeconds(90_000, 100)).toBe(0); // the record is older than the event
  });

  it('does not count from 600 s on', () => {
    expect(tradeDelaySeconds(700_999, 100)).toBe(600); // 599,999 ms
    expect(tradeDelaySeconds(701_000, 100)).toBeUndefined(); // 600,000 ms
  });
});

describe("the feed's delay d", () => {
  it('is the nearest-rank 95th percentile over all partitions', () => {
    // 20 trades: rank ceil(0.95 × 20) = 19. Ascending 18 × 10 s, then 12 s, then 40 s: the 19th is 12.
    const partitions = [[minute(0, { '10': 9, '40': 1 })], [minute(1, { '10': 9 }), minute(2, { '12': 1 })]];
    expect(feedDelaySeconds(partitions, 0, now)).toBe(12);
  });

  it('of 21 trades takes the 20th: rank ceil(19.95)', () => {
    expect(feedDelaySeconds([[minute(0, { '3': 19, '7': 1, '9': 1 })]], 0, now)).toBe(7);
  });

  it('compares delays as numbers, not as text', () => {
    expect(feedDelaySeconds([[minute(0, { '9': 10, '10': 1 })]], 0, now)).toBe(10); // rank ceil(10.45) = 11
  });

  it('is at most 60', () => {
    expect(feedDelaySeconds([[minute(0, { '300': 5 })]], 0, now)).toBe(60);
  });

  it('is the last one when there was no trade in the last 10 minutes, 0 at first', () => {
    expect(feedDelaySeconds([[], []], 17, now)).toBe(17);
    expect(feedDelaySeconds([[minute(11, { '30': 4 })]], 17, now)).toBe(17);
    expect(feedDelaySeconds([[minute(10, { '30': 4 })]], 17, now)).toBe(30);
    expect(feedDelaySeconds([], 0, now)).toBe(0);
  });

  it('equals the percentile of the single delays in milliseconds, rounded up afterwards', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 700_000 }), { minLength: 1 }), (delaysMs) => {
        const counted = delaysMs.map((delay) => Math.max(0, delay)).filter((delay) => delay < 600_000);
        const sorted = counted.toSorted((a, b) => a - b);
        const ranked = sorted[Math.ceil(sorted.length * 0.95 - 1e-9) - 1];
        const expected = ranked === undefined ? 5 : Math.min(60, Math.ceil(ranked / 1_000));
        const counts: Record<string, number> = {};
        for (const delayMs of delaysMs) {
          const seconds = tradeDelaySeconds(101_000 + delayMs, 100);
          if (seconds !== undefined) counts[seconds] = (counts[seconds] ?? 0) + 1;
        }
        expect(feedDelaySeconds([[minute(0, counts)]], 5, now)).toBe(expected);
      }),
    );
  });
});
