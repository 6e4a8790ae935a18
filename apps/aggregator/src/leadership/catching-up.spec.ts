import { describe, expect, it } from '@jest/globals';
import { isCatchingUp, isTakingOver, takeOverMs } from './catching-up.js';

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

describe('who takes over from a former term', () => {
  const inherited = waiting(0, 0);

  it('waits until each partition has been heard of since, though nothing seems to wait', () => {
    expect(isTakingOver(inherited, inherited, 0)).toBe(true);
    expect(isTakingOver([...waiting(0), inherited[1]], inherited, 0)).toBe(true);
    expect(isTakingOver(waiting(0, 0), inherited, 0)).toBe(false);
  });

  it('waits while trades wait, but not for ever', () => {
    expect(isTakingOver(waiting(0, 1), inherited, takeOverMs)).toBe(true);
    expect(isTakingOver(waiting(0, 1), inherited, takeOverMs + 1)).toBe(false);
    expect(isTakingOver(inherited, inherited, takeOverMs + 1)).toBe(false);
  });
});
