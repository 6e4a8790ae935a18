import { daySeconds, hourSeconds } from './coverage.js';

/** An hour of the ledger that has rows, Unix seconds, and how many, replaced ones too. */
export interface LedgerHour {
  readonly hour_s: number;
  readonly legs: bigint;
}

/** What one pair of statements recomputes: [from, to), Unix seconds, and how many hours with rows lie in it. */
export interface RebuildSlice {
  readonly from: number;
  readonly to: number;
  readonly hours: number;
}

/**
 * Ascending hours put together to slices of at most so many rows, where one hour alone has not more of them, and of one
 * day at most: tables of minutes are parted by day, so that a slice makes one part.
 */
export function rebuildSlices(hours: readonly LedgerHour[], legsMax: bigint): RebuildSlice[] {
  const slices: RebuildSlice[] = [];
  let open: (RebuildSlice & { readonly legs: bigint }) | undefined;
  for (const { hour_s, legs } of hours) {
    const to = hour_s + hourSeconds;
    const fits =
      open !== undefined && dayOf(open.from) === dayOf(hour_s) && open.legs + legs <= legsMax ? open : undefined;
    if (open !== undefined && fits === undefined) slices.push({ from: open.from, to: open.to, hours: open.hours });
    open = { from: fits?.from ?? hour_s, to, hours: (fits?.hours ?? 0) + 1, legs: (fits?.legs ?? 0n) + legs };
  }
  if (open !== undefined) slices.push({ from: open.from, to: open.to, hours: open.hours });
  return slices;
}

const dayOf = (second: number) => Math.floor(second / daySeconds);
