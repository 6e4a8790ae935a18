import { describe, expect, it } from '@jest/globals';
import { FetchPace } from './fetch-pace.js';

const topic = 'trades';
const live = { topic, partition: 0, messages: 10, isAtEnd: true };
const many = { ...live, messages: 600 };
const never = new AbortController().signal;

/** A pace at an instant within the second, whose measurements are ended by hand. */
function paceAt(millisecond: number) {
  let measurement = Promise.withResolvers<void>();
  const pace = new FetchPace({ measured: () => measurement.promise, nowMs: () => 1_767_261_600_000 + millisecond });
  const measure = () => {
    measurement.resolve();
    measurement = Promise.withResolvers();
  };
  return { pace, measure };
}

/** Whether it has resolved, once everything that can go on has gone on. */
async function isResolved(promise: Promise<void>): Promise<boolean> {
  let resolved = false;
  void promise.then(() => (resolved = true));
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return resolved;
}

describe('the pace of fetching', () => {
  it('waits for the end offsets of the next second, all partitions together, each time anew', async () => {
    const { pace, measure } = paceAt(900);
    for (let second = 0; second < 3; second += 1) {
      const waits = [pace.wait(live, never), pace.wait({ ...live, partition: 1 }, never)];
      expect(await Promise.all(waits.map((wait) => isResolved(wait)))).toEqual([false, false]);
      measure();
      await Promise.all(waits);
    }
  });

  it('does not wait where more is in the log already: a backlog is read without a rest', async () => {
    const { pace } = paceAt(900);
    expect(await isResolved(pace.wait({ ...live, isAtEnd: false }, never))).toBe(true);
  });

  it('fetches in the middle of the second where partitions had very many messages together, and not where few', async () => {
    const { pace, measure } = paceAt(490);
    const few = pace.wait(live, never);
    const other = paceAt(490).pace;
    // No measurement comes: only the middle of the second ends these, and then it has passed for the others too.
    await Promise.all([other.wait(many, never), other.wait({ ...many, partition: 1 }, never)]);
    expect(await isResolved(few)).toBe(false);
    measure();
    await few;
  });

  it('ends at once when the generation ends or the server closes', async () => {
    const { pace } = paceAt(900);
    const ended = new AbortController();
    const wait = pace.wait(live, ended.signal);
    expect(await isResolved(wait)).toBe(false);
    ended.abort();
    await wait;
    await pace.wait(live, ended.signal);
  });

  it('goes on without measurements after a bounded time: whoever is away is told of by others', async () => {
    const { pace } = paceAt(0);
    const wait = pace.wait(live, never);
    expect(await isResolved(wait)).toBe(false);
    await wait;
  });
});
