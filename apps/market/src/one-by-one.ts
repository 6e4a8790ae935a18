import { setImmediate } from 'node:timers/promises';
import type { FeedRecord } from './feed-record.js';

export type Send = (topic: string, records: readonly FeedRecord[]) => Promise<void>;

/**
 * Starts sends in the order they were asked for and lets them run side by side; kafkajs then writes them in that order.
 * Left to itself it swaps them: of two that wait for its lock in one turn of the event loop the second may come first, and
 * while it asks for the partitions of a new topic every other send may be overtaken. So each start has a turn of the loop to
 * itself, and the first send to a topic is awaited before the next one starts.
 */
export function oneByOne(send: Send): Send {
  const known = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();
  return async (topic, records) => {
    const isFirst = !known.has(topic);
    known.add(topic);
    // In an object: a promise that resolved to the work itself would wait for it.
    const started = turn.then(() => ({ work: send(topic, records) }));
    turn = started.then(({ work }) => (isFirst ? work.catch(() => undefined) : setImmediate()));
    const { work } = await started;
    await work;
  };
}
