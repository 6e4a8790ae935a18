import { describe, expect, it } from '@jest/globals';
import { SliceSize } from './slice-size.js';

describe('the size of slices', () => {
  it('grows to its most with quick slices, once for all that end together', () => {
    const size = new SliceSize({ max: 15_000, targetMs: 1_000 });
    expect(size.messages).toBe(2_000);
    for (let partition = 0; partition < 3; partition += 1) size.done(2_000, 400);
    expect(size.messages).toBe(8_000);
    size.done(8_000, 400);
    size.done(15_000, 400);
    expect(size.messages).toBe(15_000);
  });

  it('stays where slices are slow or not full: smaller ones would cost a slow store more', () => {
    const size = new SliceSize({ max: 15_000, targetMs: 1_000 });
    size.done(2_000, 1_001);
    size.done(30, 1);
    expect(size.messages).toBe(2_000);
  });

  it('halves what is to be done again, so that a group which never stays together for long still gets on', () => {
    const size = new SliceSize({ max: 15_000, targetMs: 1_000 });
    for (let partition = 0; partition < 3; partition += 1) size.undone(2_000);
    expect(size.messages).toBe(1_000);
    for (let again = 0; again < 10; again += 1) size.undone(size.messages);
    expect(size.messages).toBe(250);
    size.done(250, 10);
    expect(size.messages).toBe(1_000);
  });

  it('never exceeds a small most', () => {
    const size = new SliceSize({ max: 10, targetMs: 1_000 });
    size.done(10, 1);
    size.undone(10);
    expect(size.messages).toBe(10);
  });
});
