const daySeconds = 86_400;

// A trade is refused two days before its day may go: none can be on its way into a day that is being dropped.
const marginDays = 2;

/**
 * Event times (Unix seconds) before this are too late for a ledger that keeps `days`, at T = `asOf`. Source: docs/feed.md,
 * "Bad messages".
 */
export function tooLateBefore(asOf: number, days: number): number {
  return asOf - (days - marginDays) * daySeconds;
}

/**
 * Start of the first UTC day (Unix seconds) that a ledger which keeps `days` still holds, where no snapshot is taken of
 * an instant before `calculatedAt`. The windows reach 60 days back and are read from whole days: 62 days are enough.
 */
export function keptFrom(calculatedAt: number, days: number): number {
  const from = calculatedAt - days * daySeconds;
  return from - (from % daySeconds);
}
