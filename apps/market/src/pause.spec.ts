import { describe, expect, it } from '@jest/globals';
import { pause } from './pause.js';

describe('pause', () => {
  it('ends with the reason of the signal, at once or when it comes', async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(pause(60_000, controller.signal)).rejects.toThrow('stop');
  });

  it('ends by itself', async () => {
    await expect(pause(1, new AbortController().signal)).resolves.toBeUndefined();
  });
});
