import { describe, expect, it } from '@jest/globals';
import { backoffMs, pause, withDeadline } from './deadline.js';
import { DeadlineError } from './errors.js';

describe('backoffMs', () => {
  it('doubles from the initial wait up to the bound, however many attempts there were', () => {
    const waits = [0, 1, 2, 3, 10, 5_000].map((attempt) =>
      backoffMs(attempt, { initialMs: 100, maxMs: 500 }, 0.999_999),
    );
    expect(waits).toEqual([100, 200, 400, 500, 500, 500]);
  });

  it('spreads the wait over the upper half', () => {
    expect(backoffMs(0, { initialMs: 100, maxMs: 500 }, 0)).toBe(50);
    expect(backoffMs(0, { initialMs: 100, maxMs: 500 }, 0.5)).toBe(75);
  });
});

describe('withDeadline', () => {
  it('passes the outcome on, good or bad', async () => {
    await expect(withDeadline(Promise.resolve(7), 1_000, 'a sum')).resolves.toBe(7);
    await expect(withDeadline(Promise.reject(new Error('no')), 1_000, 'a sum')).rejects.toThrow('no');
  });

  it('says what was not done in time', async () => {
    const never = new Promise<void>(() => undefined);
    await expect(withDeadline(never, 5, 'the impossible')).rejects.toThrow(new DeadlineError('the impossible', 5));
  });
});

describe('pause', () => {
  it('ends early, without an error, when it is aborted', async () => {
    const controller = new AbortController();
    const pausing = pause(60_000, controller.signal);
    controller.abort();
    await expect(pausing).resolves.toBeUndefined();
    await expect(pause(60_000, controller.signal)).resolves.toBeUndefined();
  });
});
