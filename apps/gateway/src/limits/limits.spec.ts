import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Client } from '../access/client.js';
import { Policy } from '../access/policy.js';
import { limitHeaders, retryAfterSecondsOf } from './limit-state.js';
import { Limits } from './limits.js';
import { PlanLimiters } from './plan-limiters.js';

const plan = { name: 'public', paid: false, requestsPerSecond: 1, burst: 10, requestsPerDay: 30 };
const policy = new Policy(plan);
const at = (id: string, of = policy): Client => ({ id, policy: of, keyId: undefined });
const client = at('1.2.3.4');
const limitsOf = (keysMax?: number) => new Limits(new PlanLimiters(undefined, keysMax));

async function takeMany(limits: Limits, count: number, who = client): Promise<number> {
  const states = await Promise.all(Array.from({ length: count }, () => limits.take(who)));
  return states.filter(({ allowed }) => allowed).length;
}

// The library tells time by the machine's clock.
beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('limits in memory', () => {
  it('allow a burst at once, then nothing until its window has ended, so that the rate holds', async () => {
    const limits = limitsOf();
    expect(await takeMany(limits, 25)).toBe(10);
    jest.advanceTimersByTime(9_999);
    expect(await takeMany(limits, 5)).toBe(0);
    jest.advanceTimersByTime(1);
    expect(await takeMany(limits, 25)).toBe(10);
    jest.advanceTimersByTime(3_600_000);
    expect(await takeMany(limits, 25)).toBe(10);
  });

  it('never refuse whoever keeps to the rate, at any rate', async () => {
    for (const requestsPerSecond of [1, 3, 7, 500]) {
      const burst = requestsPerSecond * 2 - 1;
      const even = new Policy({
        name: `x${requestsPerSecond}`,
        paid: true,
        requestsPerSecond,
        burst,
        requestsPerDay: 1e6,
      });
      const limits = limitsOf();
      const start = Date.now();
      for (let index = 0; index < 2_000; index += 1) {
        jest.setSystemTime(start + Math.ceil((index * 1_000) / requestsPerSecond));
        expect((await limits.take(at('a', even))).allowed).toBe(true);
      }
    }
  });

  it('tell when to come again, for the window and for the day', async () => {
    const limits = limitsOf();
    await takeMany(limits, 10);
    const over = await limits.take(client);
    expect([over.allowed, retryAfterSecondsOf(over), over.rateLeft]).toEqual([false, 10, 0]);
    for (let round = 0; round < 2; round += 1) {
      jest.advanceTimersByTime(10_000);
      await takeMany(limits, 10);
    }
    jest.advanceTimersByTime(10_000);
    const day = await limits.take(client);
    expect([day.allowed, day.dayLeft, retryAfterSecondsOf(day)]).toEqual([false, 0, 86_400 - 30]);
    jest.advanceTimersByTime(86_400_000 - 30_000);
    expect((await limits.take(client)).allowed).toBe(true);
  });

  it('count each client apart, and each by its own plan', async () => {
    const limits = limitsOf();
    const fast = new Policy({ ...plan, name: 'fast', burst: 20 });
    expect(await takeMany(limits, 30)).toBe(10);
    expect(await takeMany(limits, 30, at('5.6.7.8'))).toBe(10);
    expect(await takeMany(limits, 30, at('key:1', fast))).toBe(20);
  });

  it('follow a plan whose numbers have changed', async () => {
    const limits = limitsOf();
    expect(await takeMany(limits, 30)).toBe(10);
    expect(await takeMany(limits, 30, at(client.id, new Policy({ ...plan, burst: 15 })))).toBe(15);
  });

  it('give a request back, never one of a window that has ended, and peek at no cost', async () => {
    const limits = limitsOf();
    await takeMany(limits, 10);
    expect(await limits.giveBack(client)).toMatchObject({ rateLeft: 1, dayLeft: 21 });
    expect(await limits.peek(client)).toMatchObject({ rateLeft: 1, dayLeft: 21, allowed: true });
    expect(await takeMany(limits, 5)).toBe(1);
    jest.advanceTimersByTime(10_000);
    expect(await limits.giveBack(client)).toMatchObject({ rateLeft: 10, dayLeft: 21 });
    expect(await takeMany(limits, 25)).toBe(10);
  });

  it('hold no more clients than their bound: whoever has not asked for longest begins anew', async () => {
    const limits = limitsOf(100);
    expect(await takeMany(limits, 10)).toBe(10);
    for (let index = 0; index < 1_000; index += 1) {
      await limits.take(at(`a${index}`));
      expect((await limits.take(client)).allowed).toBe(false);
    }
    expect(jest.getTimerCount()).toBeLessThanOrEqual(2 * 100);
    expect((await limits.peek(at('a0'))).rateLeft).toBe(10);
    expect((await limits.peek(at('a999'))).rateLeft).toBe(9);
  });
});

describe('limitHeaders', () => {
  it('write both limits as the draft says, and the nearer one as of old', async () => {
    expect(limitHeaders(await limitsOf().take(client))).toEqual([
      'ratelimit-policy',
      '"rate";q=10;w=10, "day";q=30;w=86400',
      'ratelimit',
      '"rate";r=9;t=10, "day";r=29;t=86400',
      'x-ratelimit-limit',
      '10',
      'x-ratelimit-remaining',
      '9',
      'x-ratelimit-reset',
      '10',
    ]);
  });

  it('round a burst up to what its rate gives in whole seconds', () => {
    expect(new Policy({ ...plan, requestsPerSecond: 3, burst: 10 }).header).toBe('"rate";q=12;w=4, "day";q=30;w=86400');
  });
});
