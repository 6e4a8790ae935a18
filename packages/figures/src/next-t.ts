import type { ClockMode } from './clock-mode.js';
import { feedDelaySeconds, type DelayMinute } from './feed-delay.js';

/** What T needs of a partition's watermark record; the record of packages/common has this shape. */
export interface WatermarkState {
  /** Broker instant up to which all records are consumed and their minute rollups acknowledged; null: not known. */
  readonly consumedUpToMs: number | null;
  /** Greatest event_time (Unix seconds) of an accepted message of event_type trade; null: none yet. */
  readonly maxEventTime: number | null;
  readonly delays: readonly DelayMinute[];
}

export interface NextTInput {
  readonly clock: ClockMode;
  /** One entry per partition of the trades topic; undefined: it has no record yet. */
  readonly partitions: readonly (WatermarkState | undefined)[];
  /** The last T (Unix seconds) of this store; undefined at the very first start. */
  readonly lastT: number | undefined;
  /** The setting FEED_DELAY_SECONDS. */
  readonly feedDelay: 'auto' | number;
  /** The last d; 0 at the very first start. */
  readonly lastDelaySeconds: number;
}

export interface NextT {
  /** T in Unix seconds, never before lastT; undefined: there is no new T yet. */
  readonly t: number | undefined;
  /** d, to be handed in as lastDelaySeconds next time. */
  readonly delaySeconds: number;
}

const notBefore = (lastT: number | undefined, t: number): number => (lastT === undefined ? t : Math.max(lastT, t));

/** floor(min over partitions of "consumed up to") in Unix seconds; undefined while one has no known value. */
export function consumedUpTo(partitions: readonly (WatermarkState | undefined)[]): number | undefined {
  let least = Number.POSITIVE_INFINITY;
  for (const partition of partitions) {
    if (partition === undefined || partition.consumedUpToMs === null) return undefined;
    least = Math.min(least, partition.consumedUpToMs);
  }
  return Number.isFinite(least) ? Math.floor(least / 1_000) : undefined;
}

function greatestEventTime(partitions: readonly (WatermarkState | undefined)[]): number | undefined {
  let greatest: number | undefined;
  for (const partition of partitions) {
    if (partition === undefined) return undefined;
    if (partition.maxEventTime !== null)
      greatest = Math.max(greatest ?? partition.maxEventTime, partition.maxEventTime);
  }
  return greatest;
}

/**
 * T and d from the watermark records of all partitions: wall = floor(min consumed up to) − d, event = greatest accepted
 * event_time + 1 s, fixed = the pinned instant. T never goes back. Source: docs/statistics.md, "Windows".
 */
export function nextT({ clock, partitions, lastT, feedDelay, lastDelaySeconds }: NextTInput): NextT {
  if (clock.mode === 'fixed') return { t: clock.at, delaySeconds: lastDelaySeconds };
  if (clock.mode === 'event') {
    const newest = greatestEventTime(partitions);
    return { t: newest === undefined ? undefined : notBefore(lastT, newest + 1), delaySeconds: lastDelaySeconds };
  }
  const upTo = consumedUpTo(partitions);
  if (upTo === undefined) return { t: undefined, delaySeconds: lastDelaySeconds };
  const histograms = partitions.map((partition) => partition?.delays ?? []);
  const delaySeconds = feedDelay === 'auto' ? feedDelaySeconds(histograms, lastDelaySeconds, upTo) : feedDelay;
  return { t: notBefore(lastT, upTo - delaySeconds), delaySeconds };
}
