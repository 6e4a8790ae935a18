import { describe, expect, it } from '@jest/globals';
import type { StatisticsTemplate } from '@jetton-analytics/figures';
import { ItemCache } from './item-cache.js';

const figures = (short: string) => ({ short, mid: 'm', long: undefined });
const template = (bytes = 400): StatisticsTemplate => ({ bytes: Buffer.alloc(bytes), holes: new Uint32Array(0) });

describe('ItemCache', () => {
  it('renders an item once while its figures stay, and anew when those of any step change', () => {
    const cache = new ItemCache(1e6);
    let calls = 0;
    const counted = () => {
      calls += 1;
      return template();
    };
    const first = cache.get('a', figures('1'), counted);
    expect(cache.get('a', figures('1'), counted)).toBe(first);
    expect(calls).toBe(1);
    expect(cache.get('a', figures('2'), counted)).not.toBe(first);
    expect(cache.get('a', { ...figures('2'), long: 'l' }, counted)).not.toBe(first);
    expect(calls).toBe(3);
  });

  it('never holds more bytes than allowed and lets the longest unused go first', () => {
    const cache = new ItemCache(5_000);
    const renders: string[] = [];
    const get = (key: string) =>
      cache.get(key, figures('1'), () => {
        renders.push(key);
        return template();
      });
    for (const key of ['a', 'b', 'c']) get(key);
    get('a');
    get('d');
    expect(cache.bytes).toBeLessThanOrEqual(5_000);
    get('a');
    get('b');
    expect(renders).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('forgets the bytes of what it drops, whatever comes', () => {
    const cache = new ItemCache(2_000);
    for (let round = 0; round < 1_000; round += 1) {
      cache.get(`k${round % 7}`, figures(String(round % 3)), () => template(round % 900));
      expect(cache.bytes).toBeLessThanOrEqual(2_000);
    }
    expect(cache.get('large', figures('1'), () => template(5_000)).bytes).toHaveLength(5_000);
    expect(cache.bytes).toBeLessThanOrEqual(2_000);
  });
});
