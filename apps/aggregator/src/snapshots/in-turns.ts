import { setImmediate } from 'node:timers/promises';

/**
 * Does something with each item, and lets in whoever waits for the thread after every so many: with a hundred thousand
 * jettons a loop would hold up the heartbeats of the consumer for longer than its session.
 */
export async function inTurns<T>(items: Iterable<T>, each: (item: T) => void, perTurn = 500): Promise<void> {
  let done = 0;
  for (const item of items) {
    each(item);
    done += 1;
    if (done % perTurn === 0) await setImmediate();
  }
}
