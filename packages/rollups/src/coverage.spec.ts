import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { BucketVersion } from './bucket-versions.query.js';
import { coverRange, daySeconds, hourSeconds, staleBuckets } from './coverage.js';

// 2026-01-01T00:00:00Z
const midnight = 1_767_225_600;
const dayCount = 4;

/** What a store may hold of one hour: its minutes' version, its own row (current, old or missing). */
interface HourState {
  readonly hour: number;
  readonly version: bigint;
  readonly row: 'current' | 'old' | 'missing';
}

const states = fc
  .uniqueArray(
    fc.record({
      hour: fc.integer({ min: 0, max: dayCount * 24 - 1 }).map((index) => midnight + index * hourSeconds),
      // Near 2^256 too: sums of versions wrap, and comparisons must survive it.
      version: fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt((1n << 256n) - 1_000n, (1n << 256n) - 1n)),
      row: fc.constantFrom('current' as const, 'old' as const, 'missing' as const),
    }),
    { selector: ({ hour }) => hour, maxLength: 60 },
  )
  .map((hours): readonly HourState[] => hours);
const dayRows = fc.array(fc.constantFrom('current' as const, 'old' as const, 'missing' as const), {
  minLength: dayCount,
  maxLength: dayCount,
});
const edgeLists = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: dayCount * daySeconds }), { minLength: 2, maxLength: 9 }),
    fc.constantFrom(1, 60, hourSeconds, daySeconds),
  )
  .map(([offsets, grain]) =>
    [...new Set(offsets.map((offset) => midnight + offset - (offset % grain)))].sort((a, b) => a - b),
  )
  .filter((edges) => edges.length > 1);

const wrapped = (value: bigint) => value % (1n << 256n);
const dayOf = (seconds: number) => seconds - (seconds % daySeconds);

function versionsOf(hours: readonly HourState[], days: readonly ('current' | 'old' | 'missing')[]): BucketVersion[] {
  const minutes = hours.map(({ hour, version }): BucketVersion => ({
    grain: 'minute',
    bucket_s: hour,
    version_sum: version.toString(),
    row_count: 1,
  }));
  const hourRows = hours.flatMap(({ hour, version, row }): BucketVersion[] =>
    row === 'missing'
      ? []
      : [
          {
            grain: 'hour',
            bucket_s: hour,
            version_sum: wrapped(row === 'current' ? version : version + 1n).toString(),
            row_count: 1,
          },
        ],
  );
  const dayRowsOf = days.flatMap((row, index): BucketVersion[] => {
    const day = midnight + index * daySeconds;
    const sum = hours.filter(({ hour }) => dayOf(hour) === day).reduce((total, { version }) => total + version, 0n);
    if (row === 'missing') return [];
    const version_sum = wrapped(row === 'current' ? sum : sum + 1n).toString();
    return [{ grain: 'day', bucket_s: day, version_sum, row_count: 1 }];
  });
  return [...minutes, ...hourRows, ...dayRowsOf];
}

describe('the coverage of a range', () => {
  it('reads every hour that holds trades of the range exactly once: as part of a day, as an hour, or by its minutes', () => {
    fc.assert(
      fc.property(states, dayRows, edgeLists, (hours, days, edges) => {
        const coverage = coverRange(versionsOf(hours, days), edges);
        const [from = 0, to = 0] = [edges[0], edges.at(-1)];
        for (const { hour } of hours) {
          const times =
            coverage.days.filter((day) => day === dayOf(hour)).length +
            coverage.hours.filter((start) => start === hour).length +
            coverage.minuteHours.filter((start) => start === hour).length;
          expect(times).toBe(hour + hourSeconds > from && hour < to ? 1 : 0);
        }
      }),
    );
  });

  it('reads no day and no hour that an edge cuts, or that reaches beyond the first or the last edge', () => {
    fc.assert(
      fc.property(states, dayRows, edgeLists, (hours, days, edges) => {
        const coverage = coverRange(versionsOf(hours, days), edges);
        const whole = [
          ...coverage.days.map((start) => ({ start, end: start + daySeconds })),
          ...coverage.hours.map((start) => ({ start, end: start + hourSeconds })),
        ];
        for (const { start, end } of whole) {
          expect(start).toBeGreaterThanOrEqual(edges[0] ?? Infinity);
          expect(end).toBeLessThanOrEqual(edges.at(-1) ?? 0);
          expect(edges.filter((edge) => edge > start && edge < end)).toEqual([]);
        }
      }),
    );
  });

  it('never reads an hour or a day whose version is not that of its minutes', () => {
    fc.assert(
      fc.property(states, dayRows, edgeLists, (hours, days, edges) => {
        const coverage = coverRange(versionsOf(hours, days), edges);
        for (const start of coverage.hours) expect(hours.find(({ hour }) => hour === start)?.row).toBe('current');
        for (const day of coverage.days) expect(days[(day - midnight) / daySeconds]).toBe('current');
      }),
    );
  });

  it('reads whole current days as days and current hours as hours, not by their minutes', () => {
    const hours: HourState[] = Array.from({ length: 48 }, (_, index) => ({
      hour: midnight + index * hourSeconds,
      version: BigInt(index + 1),
      row: 'current',
    }));
    const edges = [midnight, midnight + daySeconds + 2 * hourSeconds + 1];
    expect(coverRange(versionsOf(hours, ['current', 'current', 'missing', 'missing']), edges)).toEqual({
      days: [midnight],
      hours: [midnight + daySeconds, midnight + daySeconds + hourSeconds],
      minuteHours: [midnight + daySeconds + 2 * hourSeconds],
    });
  });
});

describe('stale hours and days', () => {
  it('are the closed ones whose row is missing or old, days only once all of their hours are current', () => {
    fc.assert(
      fc.property(states, dayRows, fc.integer({ min: 0, max: dayCount * daySeconds }), (hours, days, offset) => {
        const closedBefore = midnight + offset;
        const stale = staleBuckets(versionsOf(hours, days), closedBefore);
        expect(stale.hours).toEqual(
          hours
            .filter(({ hour, row }) => row !== 'current' && hour + hourSeconds <= closedBefore)
            .map(({ hour }) => hour)
            .sort((a, b) => a - b),
        );
        for (const day of stale.days) {
          const ofDay = hours.filter(({ hour }) => dayOf(hour) === day);
          expect(day + daySeconds).toBeLessThanOrEqual(closedBefore);
          expect(ofDay.every(({ row }) => row === 'current')).toBe(true);
          expect(days[(day - midnight) / daySeconds]).not.toBe('current');
        }
        const left = days.flatMap((row, index) => {
          const day = midnight + index * daySeconds;
          const ofDay = hours.filter(({ hour }) => dayOf(hour) === day);
          const due = row !== 'current' && day + daySeconds <= closedBefore && ofDay.length > 0;
          return due && ofDay.every((hour) => hour.row === 'current') ? [day] : [];
        });
        expect(stale.days).toEqual(left);
      }),
    );
  });
});
