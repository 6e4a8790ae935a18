const delayCountedBelowMs = 600_000;
const delaySecondsMax = 60;
const countedMinutes = 10;

/** Accepted trades of one minute of record time (Unix seconds, multiple of 60) by their delay in whole seconds. */
export interface DelayMinute {
  readonly minute: number;
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * The delay of one trade as the histogram counts it: max(0, record time − (event_time + 1 s)) rounded up to whole
 * seconds; undefined for a trade that is not counted, because its delay is 600 s or more.
 */
export function tradeDelaySeconds(recordTimeMs: number, eventTime: number): number | undefined {
  const delayMs = Math.max(0, recordTimeMs - (eventTime + 1) * 1_000);
  return delayMs < delayCountedBelowMs ? Math.ceil(delayMs / 1_000) : undefined;
}

/**
 * d, the feed's own delay in whole seconds, from the histograms of all partitions: the nearest-rank 95th percentile of
 * the last 10 minutes' delays, at most 60; `lastDelaySeconds` when there was no trade. Rounding up commutes with taking
 * a percentile, so counting delays already rounded up gives the same d.
 *
 * `nowSeconds` (Unix seconds) is the instant that "the last 10 minutes" end at; minutes are taken whole, so up to 11
 * contribute. Source: docs/statistics.md, "Windows".
 */
export function feedDelaySeconds(
  histograms: readonly (readonly DelayMinute[])[],
  lastDelaySeconds: number,
  nowSeconds: number,
): number {
  const oldest = Math.floor(nowSeconds / 60 - countedMinutes) * 60;
  const counts = new Map<number, number>();
  let total = 0;
  for (const { minute, counts: minuteCounts } of histograms.flat()) {
    if (minute < oldest) continue;
    for (const [delay, count] of Object.entries(minuteCounts)) {
      counts.set(Number(delay), (counts.get(Number(delay)) ?? 0) + count);
      total += count;
    }
  }
  if (total === 0) return lastDelaySeconds;
  const rank = Math.ceil((total * 95) / 100);
  let reached = 0;
  for (const delay of [...counts.keys()].sort((a, b) => a - b)) {
    reached += counts.get(delay) ?? 0;
    if (reached >= rank) return Math.min(delay, delaySecondsMax);
  }
  return lastDelaySeconds;
}
