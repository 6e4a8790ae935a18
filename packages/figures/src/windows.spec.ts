import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  calculatedAt,
  defaultStepSeconds,
  stepOf,
  windowEdges,
  windows,
  windowsA,
  windowsB,
  windowsC,
} from './windows.js';

const held = (times: number[], { from, to }: { from: number; to: number }): number =>
  times.filter((time) => from <= time && time < to).length;

describe('windows', () => {
  it('last min15 900 s, hour 3,600 s, hour6 21,600 s, hour12 43,200 s, day 86,400 s, week 7 days, month 30 days', () => {
    expect(windows.map(({ name, seconds }) => [name, seconds])).toEqual([
      ['min15', 900],
      ['hour', 3600],
      ['hour6', 6 * 3600],
      ['hour12', 12 * 3600],
      ['day', 24 * 3600],
      ['week', 7 * 86_400],
      ['month', 30 * 86_400],
    ]);
  });

  it('form the sets A, B and C in the order of the interface', () => {
    expect(windowsA).toEqual(['min15', 'hour', 'hour6', 'hour12', 'day', 'week', 'month']);
    expect(windowsB).toEqual(['hour', 'hour6', 'day', 'week', 'month']);
    expect(windowsC).toEqual(['day', 'week', 'month']);
  });

  it('are calculated every 2 s (min15, hour), 15 s (hour6 to day) and 120 s (week, month)', () => {
    expect(windowsA.map((name) => defaultStepSeconds[stepOf[name]])).toEqual([2, 2, 15, 15, 15, 120, 120]);
  });

  it('have their edges exactly at C−2w, C−w and C, the later edge of each outside it', () => {
    // C = 1,000,003, w = 900: current 999,103 ≤ e < 1,000,003, previous 998,203 ≤ e < 999,103
    expect(windowEdges(1_000_003, 900)).toEqual({
      current: { from: 999_103, to: 1_000_003 },
      previous: { from: 998_203, to: 999_103 },
    });
  });

  it('add up: current and previous of w hold together what current of 2w holds', () => {
    const c = 10_000;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 12_000 })), fc.integer({ min: 1, max: 5_000 }), (times, w) => {
        const { current, previous } = windowEdges(c, w);
        expect(held(times, current) + held(times, previous)).toBe(held(times, windowEdges(c, 2 * w).current));
      }),
    );
  });
});

describe('calculatedAt', () => {
  it('is the greatest multiple of the step that is not after T', () => {
    expect(calculatedAt(1_700_000_039, 120)).toBe(1_699_999_920); // 14,166,666 × 120; the next one is 1,700,000,040
    expect(calculatedAt(1_700_000_040, 120)).toBe(1_700_000_040);
    expect(calculatedAt(1_700_000_039, 2)).toBe(1_700_000_038);
    expect(calculatedAt(1_700_000_039, 1)).toBe(1_700_000_039);
  });

  it('lies less than one step behind T', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), fc.constantFrom(1, 2, 15, 120), (t, step) => {
        const c = calculatedAt(t, step);
        expect(c % step).toBe(0);
        expect(c <= t && t < c + step).toBe(true);
      }),
    );
  });
});
