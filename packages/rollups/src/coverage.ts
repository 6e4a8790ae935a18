import type { BucketVersion } from './bucket-versions.query.js';

export const hourSeconds = 3_600;
export const daySeconds = 86_400;

/** What a time range is read from: whole days and hours where they are current, minutes of the other hours. */
export interface Coverage {
  /** Day starts, Unix seconds. */
  readonly days: readonly number[];
  /** Hour starts that lie in none of `days`. */
  readonly hours: readonly number[];
  /** Starts of hours whose minutes are read. */
  readonly minuteHours: readonly number[];
}

/** Hours and days whose row is missing or older than its minutes. */
export interface Stale {
  readonly hours: readonly number[];
  /** Days whose hours are all current but whose own row is not. */
  readonly days: readonly number[];
}

interface Sums {
  readonly minutes: ReadonlyMap<number, bigint>;
  readonly hours: ReadonlyMap<number, bigint>;
  readonly days: ReadonlyMap<number, bigint>;
}

const modulus = 1n << 256n;

function sumsOf(versions: readonly BucketVersion[]): Sums {
  const of = (grain: BucketVersion['grain']) =>
    new Map(versions.filter((row) => row.grain === grain).map((row) => [row.bucket_s, BigInt(row.version_sum)]));
  return { minutes: of('minute'), hours: of('hour'), days: of('day') };
}

const startOfDay = (seconds: number) => seconds - (seconds % daySeconds);

/** Hours with data, grouped by their day. */
function hoursByDay(sums: Sums): Map<number, number[]> {
  const days = new Map<number, number[]>();
  for (const hour of new Set([...sums.minutes.keys(), ...sums.hours.keys()])) {
    const day = startOfDay(hour);
    days.set(day, [...(days.get(day) ?? []), hour]);
  }
  return days;
}

const isHourCurrent = (sums: Sums, hour: number) => (sums.minutes.get(hour) ?? 0n) === (sums.hours.get(hour) ?? 0n);

function isDayCurrent(sums: Sums, day: number, hours: readonly number[]): boolean {
  const total = hours.reduce((sum, hour) => sum + (sums.minutes.get(hour) ?? 0n), 0n) % modulus;
  return total === (sums.days.get(day) ?? 0n);
}

/**
 * How to read the range that `edges` cut (ascending Unix seconds; the first and the last bound it) so that every row
 * read lies between two neighbouring edges: a bucket is used only when it is current and no edge lies inside it.
 * `versions` must cover whole days around the range.
 */
export function coverRange(versions: readonly BucketVersion[], edges: readonly number[]): Coverage {
  const sums = sumsOf(versions);
  const from = edges[0] ?? 0;
  const to = edges.at(-1) ?? 0;
  const cut = (start: number, seconds: number) => edges.some((edge) => edge > start && edge < start + seconds);
  const inside = (start: number, seconds: number) => start >= from && start + seconds <= to && !cut(start, seconds);
  const days: number[] = [];
  const hours: number[] = [];
  const minuteHours: number[] = [];
  for (const [day, dayHours] of hoursByDay(sums)) {
    if (inside(day, daySeconds) && isDayCurrent(sums, day, dayHours)) {
      days.push(day);
      continue;
    }
    for (const hour of dayHours) {
      if (hour + hourSeconds <= from || hour >= to) continue;
      (inside(hour, hourSeconds) && isHourCurrent(sums, hour) ? hours : minuteHours).push(hour);
    }
  }
  return { days, hours, minuteHours };
}

/** Rows of the buckets that a range is read from. */
export function rowsOf({ days, hours, minuteHours }: Coverage, versions: readonly BucketVersion[]): number {
  const read = { day: new Set(days), hour: new Set(hours), minute: new Set(minuteHours) };
  return versions.reduce((sum, { grain, bucket_s, row_count }) => sum + (read[grain].has(bucket_s) ? row_count : 0), 0);
}

/** The closed hours and days (ended at or before `closedBefore`) that have to be materialised again. */
export function staleBuckets(versions: readonly BucketVersion[], closedBefore: number): Stale {
  const sums = sumsOf(versions);
  const hours: number[] = [];
  const days: number[] = [];
  for (const [day, dayHours] of hoursByDay(sums)) {
    const stale = dayHours.filter((hour) => !isHourCurrent(sums, hour));
    hours.push(...stale.filter((hour) => hour + hourSeconds <= closedBefore));
    const closed = day + daySeconds <= closedBefore;
    if (closed && stale.length === 0 && !isDayCurrent(sums, day, dayHours)) days.push(day);
  }
  return { hours: hours.sort((a, b) => a - b), days: days.sort((a, b) => a - b) };
}
