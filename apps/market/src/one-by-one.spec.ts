import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { oneByOne } from './one-by-one.js';

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
};

function recorded() {
  const log: string[] = [];
  const pending: { readonly topic: string; resolve(): void; reject(error: Error): void }[] = [];
  const send = oneByOne((topic) => {
    log.push(topic);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    pending.push({ topic, resolve, reject });
    return promise;
  });
  return { log, pending, send };
}

describe('oneByOne', () => {
  it('awaits the first send to each topic, whatever becomes of it, and then runs sends side by side in order', async () => {
    const { log, pending, send } = recorded();
    const sends = ['a', 'b', 'a', 'b'].map((topic) => send(topic, []));
    await settle();
    expect(log).toEqual(['a']);
    pending[0]?.resolve();
    await settle();
    expect(log).toEqual(['a', 'b']);
    pending[1]?.reject(new Error('away'));
    await expect(sends[1]).rejects.toThrow('away');
    await settle();
    expect(log).toEqual(['a', 'b', 'a', 'b']);
    for (const one of pending) one.resolve();
    await Promise.all([sends[0], sends[2], sends[3]]);
  });

  it('gives each start a turn of the event loop', async () => {
    const { log, pending, send } = recorded();
    const first = send('a', []);
    await settle();
    pending[0]?.resolve();
    await first;
    void send('a', []);
    void send('a', []);
    await Promise.resolve();
    expect(log.length).toBeLessThan(3);
    await settle();
    expect(log).toEqual(['a', 'a', 'a']);
  });
});
