import { describe, expect, it } from '@jest/globals';
import { inTurns, nextTurn } from './in-turns.js';

describe('inTurns', () => {
  it('does all in order, and lets in whoever waits for the thread', async () => {
    const done: number[] = [];
    let seen = -1;
    setImmediate(() => (seen = done.length));
    await inTurns(
      Array.from({ length: 25 }, (_, index) => index),
      (item) => done.push(item),
      nextTurn,
      10,
    );
    expect(done).toEqual(Array.from({ length: 25 }, (_, index) => index));
    expect(seen).toBe(10);
  });
});
