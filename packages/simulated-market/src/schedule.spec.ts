import { describe, expect, it } from '@jest/globals';
import { createActivityClock } from './activity-clock.js';
import { Random } from './random.js';
import { growthOf, never, Schedule } from './schedule.js';

const dayMs = 86_400_000;
const endMs = Date.UTC(2026, 10, 21, 12);
const startMs = endMs - 62 * dayMs;

function scheduleOf(trades: number, ratePerSecond: number, growthMs: number | null): Schedule {
  const clock = createActivityClock(0.4);
  const segment = { kind: 'stretch' as const, startMs, endMs, trades, growthMs };
  return new Schedule(clock, { segment, drawn: 0, activityMs: clock.activityOf(startMs), ratePerSecond });
}

const draw = (schedule: Schedule, random: Random, count: number): number[] =>
  Array.from({ length: count }, () => schedule.drawMs(random));

describe('Schedule', () => {
  it.each([
    ['evenly', null],
    ['growing', 6_000_000],
  ])('puts exactly the trades asked for into a stretch, in order, spread %s', (_name, growthMs) => {
    const schedule = scheduleOf(20_000, 5, growthMs);
    const times = draw(schedule, Random.seeded(1, 'times'), 20_000);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(startMs);
    expect(times.at(-1)).toBeLessThan(endMs);
    expect(schedule.drawMs(Random.seeded(1, 'next'))).toBeGreaterThanOrEqual(endMs);
    expect(schedule.isSteady).toBe(true);
  });

  it('ends a growing history at the live rate', () => {
    const schedule = scheduleOf(200_000, 5, growthOf(200_000, endMs - startMs, 5));
    const random = Random.seeded(1, 'times');
    const times = draw(schedule, random, 200_000 + 6000);
    const inTenMinutes = (from: number): number => times.filter((ms) => ms >= from && ms < from + 600_000).length;
    const before = inTenMinutes(endMs - 600_000);
    const after = inTenMinutes(endMs);
    expect(before / after).toBeGreaterThan(0.8);
    expect(before / after).toBeLessThan(1.1);
    // Noon is a little busier than the mean of the day.
    expect(after / (5 * 600)).toBeGreaterThan(1);
    expect(after / (5 * 600)).toBeLessThan(1.4);
  });

  it('keeps a history within reach of its mean however fast the live market is', () => {
    const growthMs = growthOf(200_000, 62 * dayMs, 20_000);
    const times = draw(scheduleOf(200_000, 20_000, growthMs), Random.seeded(1, 'times'), 200_000);
    expect(times.filter((ms) => ms < endMs - dayMs).length).toBeGreaterThan(80_000);
    expect(growthOf(200_000, 62 * dayMs, 0.01)).toBeNull();
    expect(growthOf(0, 62 * dayMs, 5)).toBeNull();
  });

  it('keeps the steady rate over whole days and stops at rate 0', () => {
    const schedule = scheduleOf(0, 2, null);
    const random = Random.seeded(1, 'steady');
    const times = draw(schedule, random, 2 * 86_400);
    expect(((times.at(-1) ?? 0) - endMs) / dayMs).toBeCloseTo(1, 1);
    schedule.beginSteady(endMs, 0);
    expect(schedule.drawMs(random)).toBe(never);
  });

  it('goes on from its state, also inside a stretch', () => {
    const schedule = scheduleOf(100, 5, 6_000_000);
    const random = Random.seeded(1, 'times');
    draw(schedule, random, 40);
    const again = new Schedule(createActivityClock(0.4), schedule.state());
    const state = random.state();
    expect(draw(again, new Random(state), 200)).toEqual(draw(schedule, random, 200));
  });

  it('guesses what is due by an instant', () => {
    const schedule = scheduleOf(1000, 5, null);
    schedule.drawMs(Random.seeded(1, 'times'));
    expect(schedule.expectedTrades(startMs, endMs)).toBe(1000);
    expect(schedule.expectedTrades(startMs, endMs + 10_000)).toBe(1050);
  });
});
