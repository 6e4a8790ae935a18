import { describe, expect, it } from '@jest/globals';
import { compareStates, newestStates, type StateMessage, valueHashOf } from './state.js';

const state = (order: number, recordTimestampMs: number, text: string): StateMessage => ({
  order: BigInt(order),
  recordTimestampMs,
  value: Buffer.from(text),
});
const keyOf = ({ value }: StateMessage) => value.toString();

describe('the newest state', () => {
  it('has the greatest order, then the later record, then the greater bytes', () => {
    const ascending = [
      state(0, 9, 'z'),
      state(1, 1, 'z'),
      state(1, 2, '10'),
      state(1, 2, '9'),
      state(1, 2, '99'),
      state(1, 2, 'é'),
      state(2, 0, ''),
    ];
    for (const [index, a] of ascending.entries()) {
      for (const [other, b] of ascending.entries()) {
        expect(Math.sign(compareStates(a, b))).toBe(Math.sign(index - other));
      }
    }
  });

  it('is found per key in whatever order the messages come', () => {
    const [old, newer, other] = [state(1, 0, 'a'), state(2, 0, 'a'), state(1, 0, 'b')];
    for (const states of [
      [old, newer, other],
      [newer, other, old],
    ]) {
      expect(newestStates(states, keyOf)).toEqual(
        new Map([
          ['a', newer],
          ['b', other],
        ]),
      );
    }
  });

  it('is told from others by the first 128 bits of its bytes’ SHA-256', () => {
    expect(valueHashOf(Buffer.alloc(0))).toBe('e3b0c44298fc1c149afbf4c8996fb924');
  });
});
