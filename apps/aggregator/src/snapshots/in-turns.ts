import { setImmediate } from 'node:timers/promises';

/** Lets in whoever waits for the thread. */
export type Pause = () => Promise<unknown>;

export const nextTurn: Pause = () => setImmediate();

/**
 * Does something with each item, and pauses after every so many: with a hundred thousand jettons a loop would hold up the
 * heartbeats of the consumer for longer than its session.
 */
export async function inTurns<T>(
  items: Iterable<T>,
  each: (item: T) => void,
  pause: Pause = nextTurn,
  perTurn = 500,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    each(item);
    done += 1;
    if (done % perTurn === 0) await pause();
  }
}
