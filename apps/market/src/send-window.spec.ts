import { describe, expect, it } from '@jest/globals';
import { SendWindow } from './send-window.js';

describe('SendWindow', () => {
  it('has no more sends under way than it is wide, and is drained when all are done', async () => {
    const window = new SendWindow(3);
    const releases: (() => void)[] = [];
    let started = 0;
    const add = () =>
      window.add(() => {
        started += 1;
        return new Promise((resolve) => releases.push(resolve));
      });
    const added = [add(), add(), add(), add()];
    await Promise.all(added.slice(0, 3));
    expect(started).toBe(3);
    releases[1]?.();
    await added[3];
    expect(started).toBe(4);
    let isDrained = false;
    const drained = window.drain().then(() => (isDrained = true));
    releases[0]?.();
    releases[2]?.();
    await Promise.resolve();
    expect(isDrained).toBe(false);
    releases[3]?.();
    await drained;
    expect(isDrained).toBe(true);
  });

  it('tells the first failure to whoever adds or drains next', async () => {
    const window = new SendWindow(2);
    const added = ['first', 'second'].map((text) => window.add(() => Promise.reject(new Error(text))));
    await Promise.all(added);
    await expect(window.drain()).rejects.toThrow('first');
    await expect(window.add(async () => undefined)).rejects.toThrow('first');
  });
});
