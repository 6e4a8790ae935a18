import { daySeconds, hourSeconds } from './coverage.js';

/** An hour of the ledger that has rows, Unix seconds, and how many, replaced ones too. */
export interface LedgerHour {
  readonly hour_s: number;
  readonly legs: bigint;
}

/** What one pair of statements recomputes: [from, to), Unix seconds, and the hours with rows in it and their rows. */
export interface RebuildSlice {
  readonly from: number;
  readonly to: number;
  readonly hours: number;
  readonly legs: bigint;
}

/**
 * Ascending hours put together to slices of at most so many rows, where one hour alone has not more of them, and of one
 * day at most: tables of minutes are parted by day, so that a slice makes one part.
 */
export function rebuildSlices(hours: readonly LedgerHour[], legsMax: bigint): RebuildSlice[] {
  const slices: RebuildSlice[] = [];
  for (const { hour_s, legs } of hours) {
    const last = slices.at(-1);
    const fits = last !== undefined && dayOf(last.from) === dayOf(hour_s) && last.legs + legs <= legsMax;
    const own = { from: hour_s, to: hour_s + hourSeconds, hours: 1, legs };
    if (fits) slices[slices.length - 1] = { ...own, from: last.from, hours: last.hours + 1, legs: last.legs + legs };
    else slices.push(own);
  }
  return slices;
}

const dayOf = (second: number) => Math.floor(second / daySeconds);
