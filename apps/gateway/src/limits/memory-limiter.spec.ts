import { describe, expect, it } from '@jest/globals';
import type { Client } from '../access/client.js';
import { Policy } from '../access/policy.js';
import { limitHeaders, retryAfterSecondsOf } from './limit-state.js';
import { MemoryLimiter } from './memory-limiter.js';
import { RecentMap } from './recent-map.js';

const policy = new Policy({ name: 'public', paid: false, requestsPerSecond: 1, burst: 10, requestsPerDay: 30 });
const at = (id: string, keyId?: string): Client => ({ id, policy, keyId });
const client = at('1.2.3.4');

function limiterAt(max?: number) {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  return { clock, limiter: new MemoryLimiter(clock, max) };
}
const takeMany = (limiter: MemoryLimiter, count: number, who = client) =>
  Array.from({ length: count }, () => limiter.take(who).allowed).filter(Boolean).length;

describe('MemoryLimiter', () => {
  it('allows the burst at once, then one per second, and forgets nothing between', () => {
    const { clock, limiter } = limiterAt();
    expect(takeMany(limiter, 25)).toBe(10);
    clock.ms += 999;
    expect(takeMany(limiter, 5)).toBe(0);
    clock.ms += 1;
    expect(takeMany(limiter, 5)).toBe(1);
    clock.ms += 5_000;
    expect(takeMany(limiter, 25)).toBe(5);
    clock.ms += 3_600_000;
    expect(takeMany(limiter, 25)).toBe(10);
  });

  it('never refuses whoever keeps to the rate, at any rate', () => {
    for (const requestsPerSecond of [1, 3, 7, 500]) {
      const even = new Policy({
        name: 'x',
        paid: true,
        requestsPerSecond,
        burst: requestsPerSecond,
        requestsPerDay: 1e6,
      });
      const { clock, limiter } = limiterAt();
      const start = clock.ms;
      for (let index = 0; index < 5_000; index += 1) {
        clock.ms = start + Math.ceil((index * 1_000) / requestsPerSecond);
        expect(limiter.take({ id: 'a', policy: even, keyId: '1' }).allowed).toBe(true);
      }
    }
  });

  it('tells when to come again, for the bucket and for the day', () => {
    const { clock, limiter } = limiterAt();
    takeMany(limiter, 10);
    const over = limiter.take(client);
    expect([over.allowed, retryAfterSecondsOf(over), over.rateLeft]).toEqual([false, 1, 0]);
    for (let round = 0; round < 2; round += 1) {
      clock.ms += 10_000;
      takeMany(limiter, 10);
    }
    clock.ms += 10_000;
    const day = limiter.take(client);
    expect([day.allowed, day.dayLeft, retryAfterSecondsOf(day)]).toEqual([false, 0, 86_400 - 30]);
    clock.ms += 86_400_000 - 30_000;
    expect(limiter.take(client).allowed).toBe(true);
  });

  it('counts each client apart, and each by its own plan', () => {
    const { limiter } = limiterAt();
    expect(takeMany(limiter, 20)).toBe(10);
    expect(takeMany(limiter, 20, at('5.6.7.8'))).toBe(10);
    expect(takeMany(limiter, 20, at('key:1', '1'))).toBe(10);
  });

  it('gives a request back, and peeks at no cost', () => {
    const { limiter } = limiterAt();
    takeMany(limiter, 10);
    expect(limiter.giveBack(client)).toMatchObject({ rateLeft: 1, dayLeft: 21 });
    expect(limiter.peek(client)).toMatchObject({ rateLeft: 1, dayLeft: 21, allowed: true });
    expect(takeMany(limiter, 5)).toBe(1);
    for (let round = 0; round < 50; round += 1) limiter.giveBack(client);
    expect(limiter.peek(client)).toMatchObject({ rateLeft: 10, dayLeft: 30 });
    expect(takeMany(limiter, 25)).toBe(10);
  });

  it('writes both limits as the draft says, and the nearer one as of old', () => {
    const { limiter } = limiterAt();
    expect(limitHeaders(limiter.take(client))).toEqual([
      'ratelimit-policy',
      '"rate";q=10;w=10, "day";q=30;w=86400',
      'ratelimit',
      '"rate";r=9;t=1, "day";r=29;t=86400',
      'x-ratelimit-limit',
      '10',
      'x-ratelimit-remaining',
      '9',
      'x-ratelimit-reset',
      '1',
    ]);
  });
});

describe('RecentMap', () => {
  it('stays within its bound and keeps what is asked for', () => {
    const map = new RecentMap<number>(100);
    map.set('mine', 7);
    for (let index = 0; index < 10_000; index += 1) {
      map.set(`k${index}`, index);
      expect(map.get('mine')).toBe(7);
      expect(map.size).toBeLessThanOrEqual(100);
    }
    expect(map.get('k0')).toBeUndefined();
    expect(map.get('k9999')).toBe(9_999);
  });
});
