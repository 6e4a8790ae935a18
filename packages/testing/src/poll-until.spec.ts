import { describe, expect, it } from '@jest/globals';
import { pollUntil } from './poll-until.js';

describe('pollUntil', () => {
  it('returns the first value that is there, 0 and the empty string included', async () => {
    const values = [undefined, null, false, 0];
    expect(await pollUntil(() => values.shift(), { what: 'a value', intervalMs: 1 })).toBe(0);
    expect(await pollUntil(() => '', { what: 'a text' })).toBe('');
  });

  it('names what it waited for, with the last error as the cause', async () => {
    const cause = new Error('refused');
    const waiting = pollUntil(() => Promise.reject(cause), { what: 'the server', timeoutMs: 10, intervalMs: 1 });
    await expect(waiting).rejects.toMatchObject({ message: 'waited 10 ms in vain for the server', cause });
  });
});
