import { describe, expect, it } from '@jest/globals';
import { Precedence } from './precedence.js';

/** Whether a pause of `step` is over once everything that needs no time has happened. */
async function isOver(pause: Promise<void>): Promise<boolean> {
  let over = false;
  void pause.then(() => (over = true));
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  return over;
}

describe('while a step takes a snapshot', () => {
  it('those after it stand still at their pauses until it is done, and it does not', async () => {
    const precedence = new Precedence(60_000);
    const work = Promise.withResolvers<string>();
    const taken = precedence.during('mid', () => work.promise);
    const long = precedence.pause('long');
    expect(await isOver(long)).toBe(false);
    expect(await isOver(precedence.pause('mid'))).toBe(true);
    expect(await isOver(precedence.pause('short'))).toBe(true);
    work.resolve('taken');
    expect(await taken).toBe('taken');
    expect(await isOver(long)).toBe(true);
    expect(await isOver(precedence.pause('long'))).toBe(true);
  });

  it('they go on when it fails', async () => {
    const precedence = new Precedence(60_000);
    const work = Promise.withResolvers<never>();
    const taken = precedence.during('short', () => work.promise);
    const mid = precedence.pause('mid');
    work.reject(new Error('the store is away'));
    await expect(taken).rejects.toThrow('the store is away');
    expect(await isOver(mid)).toBe(true);
  });

  it('they stand still for a bounded time', async () => {
    const precedence = new Precedence(1);
    void precedence.during('short', () => new Promise(() => undefined));
    await expect(precedence.pause('long')).resolves.toBeUndefined();
  });
});
