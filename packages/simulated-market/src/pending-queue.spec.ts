import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { PendingQueue, type Waiting } from './pending-queue.js';

function drain(queue: PendingQueue<Waiting>): Waiting[] {
  const drained: Waiting[] = [];
  for (let item = queue.pop(); item; item = queue.pop()) drained.push(item);
  return drained;
}

describe('PendingQueue', () => {
  it('gives everything back by instant, then by order of entry', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (instants) => {
        const items = instants.map((atMs, order) => ({ atMs, order }));
        const expected = items.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order);
        const queue = new PendingQueue(items);
        expect(queue.nextMs).toBe(expected[0]?.atMs ?? Infinity);
        expect(drain(queue)).toEqual(expected);
        expect(queue.size).toBe(0);
      }),
    );
  });

  it('keeps its order when items come in between', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 4 }), (instants) => {
        const items = instants.map((atMs, order) => ({ atMs, order }));
        const half = Math.floor(items.length / 2);
        const queue = new PendingQueue<Waiting>(items.slice(0, half));
        const first = queue.pop();
        for (const item of items.slice(half)) queue.push(item);
        const rest = items.filter((item) => item !== first);
        expect(drain(queue)).toEqual(rest.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order));
      }),
    );
  });
});
