const daySeconds = 86_400;
/** Rows that are held at once, where a single day does not hold more. */
const legsPerRangeMax = 50_000;

export interface Range {
  /** Unix seconds; `to` is not inside. */
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts [from, to) at the ends of days, so that a range holds at most fifty thousand rows or is a single day. Days without
 * rows are in none. `perDay` ascends.
 */
export function legRanges(perDay: readonly { day_s: number; legs: number }[], { from, to }: Range): Range[] {
  const ranges: { from: number; to: number; legs: number }[] = [];
  for (const { day_s: day, legs } of perDay) {
    const start = Math.max(from, day);
    const end = Math.min(to, day + daySeconds);
    const last = ranges.at(-1);
    if (last === undefined || last.legs + legs > legsPerRangeMax) ranges.push({ from: start, to: end, legs });
    else {
      last.to = end;
      last.legs += legs;
    }
  }
  return ranges.map((range) => ({ from: range.from, to: range.to }));
}
