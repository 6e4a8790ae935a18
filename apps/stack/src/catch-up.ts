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
  /** Whether figures over everything that is to read are served. */
  readonly complete: boolean;
}

const pollMs = 500;
const shownEveryMs = 2_000;
/** Without any progress for this long we stop waiting; a quiet feed is no failure. */
const patienceMs = 60_000;

const total = (values: readonly string[]) => values.reduce((sum, value) => sum + BigInt(value), 0n);

/** Reads the progress on the topic of trades out of the status of the service. */
export function progressOf(status: ServiceStatus, tradesTopic: string): Progress {
  const input = status.inputs.find(({ topic }) => topic === tradesTopic);
  const end = total(input?.partitions.map(({ endOffset }) => endOffset) ?? []);
  const windows = Object.values(status.windows);
  return {
    read: total(input?.partitions.map(({ position }) => position) ?? []),
    end,
    asOf: status.asOf,
    state: input?.state ?? 'starting',
    complete: end > 0n && windows.length > 0 && windows.every(({ inputPosition }) => BigInt(inputPosition) >= end),
  };
}

/**
 * Whether the figures are those of everything fed so far. A feed that goes on is never complete for long: there it is
 * enough to be live with figures served.
 */
export function isCaughtUp(progress: Progress, feed: { endless: boolean; ended: boolean }): boolean {
  if (feed.endless) return progress.state === 'live' && progress.asOf !== undefined;
  return feed.ended && progress.complete;
}

const count = (value: bigint) => value.toLocaleString('en-US');

function describe({ read, end, asOf, state }: Progress): string {
  const time = asOf === undefined ? 'no figures yet' : `figures as of ${asOf}`;
  return `catching up (${state}): ${count(read)} of ${count(end)} messages read, ${time}`;
}

/**
 * Waits until the figures have caught up with the feed, showing how far they are. Resolves to false when they did not
 * move for a minute.
 */
export async function waitCaughtUp(
  read: () => Promise<ServiceStatus | undefined>,
  tradesTopic: string,
  feed: { endless: boolean; ended: () => boolean },
  output: Output,
  signal: AbortSignal,
): Promise<boolean> {
  let shown = { text: '', atMs: performance.now() };
  let moved = { key: '', atMs: performance.now() };
  while (performance.now() - moved.atMs < patienceMs) {
    const status = await read();
    if (status !== undefined) {
      const progress = progressOf(status, tradesTopic);
      if (isCaughtUp(progress, { endless: feed.endless, ended: feed.ended() })) return true;
      const text = describe(progress);
      if (text !== moved.key) moved = { key: text, atMs: performance.now() };
      if (text !== shown.text && performance.now() - shown.atMs >= shownEveryMs) {
        output.step(text);
        shown = { text, atMs: performance.now() };
      }
    }
    await sleep(pollMs, undefined, { signal });
  }
  return false;
}
