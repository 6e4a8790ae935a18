import { describe, expect, it } from '@jest/globals';
import { AnswerCache } from './answer-cache.js';

function counting() {
  const reads: string[] = [];
  const cache = new AnswerCache<string>(2);
  const get = (key: string) =>
    cache.get(key, () => {
      reads.push(key);
      return Promise.resolve(`answer ${key}`);
    });
  return { reads, get, cache };
}

describe('answers kept from the store', () => {
  it('are read once, by concurrent askers too', async () => {
    const { reads, get } = counting();
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['answer a', 'answer a', 'answer a']);
    expect(reads).toEqual(['a']);
  });

  it('go when there are too many, the longest unused first', async () => {
    const { reads, get } = counting();
    await get('a');
    await get('b');
    await get('a');
    await get('c');
    await get('a');
    await get('b');
    expect(reads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('are read again after a failure', async () => {
    const { cache, get } = counting();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await get('a')).toBe('answer a');
  });
});
