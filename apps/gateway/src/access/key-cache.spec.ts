import { describe, expect, it } from '@jest/globals';
import { type KeyAccess, keyHashOf } from '@jetton-analytics/postgres';
import { KeyCache } from './key-cache.js';

const access = (key: string, more: Partial<KeyAccess> = {}): KeyAccess => ({
  id: '1',
  plan: 'pro',
  expiresAt: null,
  revokedAt: null,
  changeNumber: '1',
  keyHash: keyHashOf(key),
  ...more,
});

function cacheAt(startMs = 0, limits = { keysMax: 3, unknownMax: 3 }) {
  const clock = { ms: startMs, now: () => clock.ms };
  return { clock, cache: new KeyCache(clock, limits) };
}
const a = KeyCache.nameOf('a');

describe('KeyCache', () => {
  it('knows a key for an hour after each use, and no longer', () => {
    const { clock, cache } = cacheAt();
    cache.put(a, access('a'));
    clock.ms = 3_599_999;
    expect(cache.get(a)).toMatchObject({ plan: 'pro', revoked: false, expiresAtMs: Infinity });
    clock.ms = 2 * 3_599_999;
    expect(cache.get(a)).toBeDefined();
    clock.ms += 3_600_000;
    expect(cache.get(a)).toBeUndefined();
  });

  it('takes changes of the keys it knows, and keeps none that nobody has shown', () => {
    const { cache } = cacheAt();
    const key = cache.put(a, access('a'));
    cache.apply(access('a', { plan: 'free', revokedAt: new Date(5), expiresAt: new Date(9) }));
    expect(key).toMatchObject({ plan: 'free', revoked: true, expiresAtMs: 9 });
    cache.apply(access('b'));
    expect(cache.size).toEqual({ known: 1, unknown: 0 });
  });

  it('remembers for ten seconds what it looked for in vain, and not beyond its making', () => {
    const { clock, cache } = cacheAt();
    cache.putUnknown(a);
    expect(cache.get(a)).toBe('unknown');
    cache.apply(access('a'));
    expect(cache.get(a)).toBeUndefined();
    cache.putUnknown(a);
    clock.ms = 10_000;
    expect(cache.get(a)).toBeUndefined();
  });

  it('holds no more than its limits, whatever is asked for', () => {
    const { clock, cache } = cacheAt();
    for (let index = 0; index < 1_000; index += 1) {
      cache.put(`k${index}`, access('a'));
      cache.putUnknown(`u${index}`);
    }
    expect(cache.size).toEqual({ known: 3, unknown: 3 });
    expect([cache.get('k999') !== undefined, cache.get('u999'), cache.get('k0')]).toEqual([true, 'unknown', undefined]);
    clock.ms = 3_600_001;
    cache.sweep();
    expect(cache.size).toEqual({ known: 0, unknown: 0 });
  });
});
