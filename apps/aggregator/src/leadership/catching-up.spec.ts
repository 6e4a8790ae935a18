import { describe, expect, it } from '@jest/globals';
import { isCatchingUp } from './catching-up.js';

const waiting = (...lags: (number | undefined)[]) =>
  lags.map((lag) =>
    lag === undefined
      ? undefined
      : { position: '9007199254740993', endOffset: String(9007199254740993n + BigInt(lag)) },
  );

describe('a backlog', () => {
  it('is being consumed when more messages wait, over all partitions, than come while others are written', () => {
    expect(isCatchingUp(waiting(2_500, undefined, 2_500), undefined)).toBe(false);
    expect(isCatchingUp(waiting(2_500, undefined, 2_501), undefined)).toBe(true);
  });

  it('is none where T is near the wall clock, however many messages wait', () => {
    expect(isCatchingUp(waiting(1_000_000), 29)).toBe(false);
    expect(isCatchingUp(waiting(1_000_000), 30)).toBe(true);
  });

  it('lasts until its last message where T is hours behind', () => {
    expect(isCatchingUp(waiting(1), 3_600)).toBe(false);
    expect(isCatchingUp(waiting(1), 3_601)).toBe(true);
    expect(isCatchingUp(waiting(0), 3_601)).toBe(false);
  });

  it('is none before any partition has a watermark', () => {
    expect(isCatchingUp(waiting(undefined), 100_000)).toBe(false);
  });
});
