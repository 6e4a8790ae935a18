import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createActivityClock } from './activity-clock.js';

const hourMs = 3_600_000;
const noonMs = Date.UTC(2026, 10, 21, 12);

describe('createActivityClock', () => {
  it('turns activity back into the time it came from, within a millisecond', () => {
    const instant = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2099, 0, 1) });
    fc.assert(
      fc.property(instant, fc.double({ min: 0, max: 0.6, noNaN: true }), (timeMs, amplitude) => {
        const clock = createActivityClock(amplitude);
        expect(Math.abs(clock.timeOf(clock.activityOf(timeMs)) - timeMs)).toBeLessThan(1);
      }),
    );
  });

  it('never runs backwards', () => {
    const clock = createActivityClock(0.6);
    for (let minute = 0; minute < 2880; minute += 1) {
      const before = clock.activityOf(noonMs + minute * 60_000);
      expect(clock.activityOf(noonMs + (minute + 1) * 60_000)).toBeGreaterThan(before);
    }
  });

  it('has more activity by day than by night, and a whole day’s worth in a day', () => {
    const clock = createActivityClock(0.4);
    const hourFrom = (timeMs: number): number => clock.activityOf(timeMs + hourMs) - clock.activityOf(timeMs);
    expect(hourFrom(noonMs + 3.5 * hourMs) / hourFrom(noonMs - 8.5 * hourMs)).toBeGreaterThan(2.2);
    expect(clock.activityOf(noonMs + 24 * hourMs) - clock.activityOf(noonMs)).toBeCloseTo(24 * hourMs, 0);
  });

  it('is plain time with amplitude 0 and refuses one that could stop it', () => {
    expect(createActivityClock(0).timeOf(noonMs)).toBe(noonMs);
    expect(() => createActivityClock(0.61)).toThrow(RangeError);
  });
});
