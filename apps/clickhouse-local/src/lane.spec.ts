import { describe, expect, it } from '@jest/globals';
import { DroppedError, Lane, LaneFullError } from './lane.js';

const QUEUE_MS = 60_000;
const patient = new AbortController().signal;

/** Work that ends when told to. */
function step() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, work: () => promise };
}

describe('Lane', () => {
  it('runs as many at once as it has sessions, the rest in the order they came', async () => {
    const lane = new Lane('read', ['s1', 's2'], 10, QUEUE_MS);
    const started: string[] = [];
    const steps = Array.from({ length: 5 }, step);
    const runs = steps.map(({ work }, index) =>
      lane.run((session) => {
        started.push(`${index} ${session}`);
        return work();
      }, patient),
    );
    await Promise.resolve();
    expect(started).toEqual(['0 s2', '1 s1']);
    expect(lane.waiting).toBe(3);
    steps[1]?.end();
    await runs[1];
    await Promise.resolve();
    expect(started.slice(2)).toEqual(['2 s1']);
    for (const { end } of steps) end();
    await Promise.all(runs);
    expect(started.map((text) => text[0])).toEqual(['0', '1', '2', '3', '4']);
  });

  it('refuses what its queue has no room for, and nothing once there is room again', async () => {
    const lane = new Lane('write', ['s'], 1, QUEUE_MS);
    const busy = step();
    const first = lane.run(busy.work, patient);
    const second = lane.run(async () => 'second', patient);
    await expect(lane.run(async () => 'third', patient)).rejects.toBeInstanceOf(LaneFullError);
    busy.end();
    await first;
    expect(await second).toBe('second');
    expect(await lane.run(async () => 'fourth', patient)).toBe('fourth');
  });

  it('never starts work whose client has gone while it waited', async () => {
    const lane = new Lane('read', ['s'], 5, QUEUE_MS);
    const busy = step();
    const first = lane.run(busy.work, patient);
    const gone = new AbortController();
    let started = false;
    const dropped = lane.run(async () => {
      started = true;
    }, gone.signal);
    gone.abort();
    await expect(dropped).rejects.toBeInstanceOf(DroppedError);
    busy.end();
    await first;
    expect(started).toBe(false);
    expect(lane.waiting).toBe(0);
  });

  it('refuses work that has waited too long', async () => {
    const lane = new Lane('read', ['s'], 5, 1);
    const busy = step();
    const first = lane.run(busy.work, patient);
    await expect(lane.run(async () => 'late', patient)).rejects.toBeInstanceOf(LaneFullError);
    busy.end();
    await first;
    expect(await lane.run(async () => 'in time', patient)).toBe('in time');
  });

  it('gives the session to the next one also after work that failed', async () => {
    const lane = new Lane('read', ['s'], 5, QUEUE_MS);
    const failed = lane.run(() => Promise.reject(new Error('bad')), patient);
    const next = lane.run(async (session) => session, patient);
    await expect(failed).rejects.toThrow('bad');
    expect(await next).toBe('s');
  });
});
