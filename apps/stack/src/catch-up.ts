import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceStatus } from '@jetton-analytics/common';
import type { Output } from './output.js';

/** How far the trades have been counted. */
export interface Progress {
  /** Messages of the trades topic read so far, and there to read. */
  readonly read: bigint;
  readonly end: bigint;
  /** T of the figures served; undefined before the first. */
  readonly asOf: string | undefined;
  readonly state: string;
  /** Messages that every window looked at has counted; undefined before the first figures. */
  readonly counted: bigint | undefined;
}

const pollMs = 500;
const shownEveryMs = 2_000;
/** Without any progress for this long we stop waiting; a quiet feed is no failure. */
const patienceMs = 60_000;
/** By the wall clock the longer windows are calculated only now and then: with these there are figures to see. */
const shortWindows: ReadonlySet<string> = new Set(['min15', 'hour']);

const total = (values: readonly string[]) => values.reduce((sum, value) => sum + BigInt(value), 0n);
const least = (values: readonly bigint[]) => values.reduce((a, b) => (b < a ? b : a));

/** Reads the progress on the topic of trades out of the status of the service. */
export function progressOf(status: ServiceStatus, tradesTopic: string): Progress {
  const input = status.inputs.find(({ topic }) => topic === tradesTopic);
  const counted = Object.entries(status.windows)
    .filter(([name]) => status.clock !== 'wall' || shortWindows.has(name))
    .map(([, { inputPosition }]) => BigInt(inputPosition));
  return {
    read: total(input?.partitions.map(({ position }) => position) ?? []),
    end: total(input?.partitions.map(({ endOffset }) => endOffset) ?? []),
    asOf: status.asOf,
    state: input?.state ?? 'starting',
    counted: counted.length === 0 ? undefined : least(counted),
  };
}

/** How much must have been counted: what was there when the feed had sent everything it had at the start. */
export class CatchUpTarget {
  #end: bigint | undefined;

  /** Whether the figures hold it all; to be asked with each new progress. `feedIsThrough`: as of before it was read. */
  isReached({ end, counted, state }: Progress, feedIsThrough: boolean): boolean {
    if (!feedIsThrough || end === 0n) return false;
    this.#end ??= end;
    return state === 'live' && counted !== undefined && counted >= this.#end;
  }
}

export interface CatchUpContext {
  readonly tradesTopic: string;
  /** Whether everything there was to send at the start has been sent. */
  readonly feedIsThrough: () => boolean;
  readonly output: Output;
  readonly signal: AbortSignal;
}

const count = (value: bigint) => value.toLocaleString('en-US');

function describe({ read, end, asOf, state }: Progress): string {
  const time = asOf === undefined ? 'no figures yet' : `figures as of ${asOf}`;
  return `catching up (${state}): ${count(read)} of ${count(end)} messages read, ${time}`;
}

/**
 * Waits until the figures have caught up with the feed, showing how far they are. Resolves to false when nothing moved
 * for a minute. Rejects with the signal's reason.
 */
export async function waitCaughtUp(
  read: () => Promise<ServiceStatus | undefined>,
  { tradesTopic, feedIsThrough, output, signal }: CatchUpContext,
): Promise<boolean> {
  const target = new CatchUpTarget();
  let shownAtMs = performance.now();
  let moved = { text: '', atMs: performance.now() };
  while (performance.now() - moved.atMs < patienceMs) {
    const isThrough = feedIsThrough();
    const status = await read();
    if (status !== undefined) {
      const progress = progressOf(status, tradesTopic);
      if (target.isReached(progress, isThrough)) return true;
      const text = describe(progress);
      const nowMs = performance.now();
      if (text !== moved.text && nowMs - shownAtMs >= shownEveryMs) {
        output.step(text);
        shownAtMs = nowMs;
      }
      if (text !== moved.text) moved = { text, atMs: nowMs };
    }
    await sleep(pollMs, undefined, { signal });
  }
  return false;
}
