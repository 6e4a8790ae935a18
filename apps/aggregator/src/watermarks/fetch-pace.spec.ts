import { describe, expect, it } from '@jest/globals';
import { FetchPace, isAwaited } from './fetch-pace.js';

const live = { isAtEnd: true };
const never = new AbortController().signal;

/** Just after a whole, even second. */
const at = (seconds: number) => 1_767_261_600_000 + seconds * 1_000 + 12;

/** A pace whose measurements are ended by hand, each with whether figures wait for what it brought to light. */
function paced() {
  let measurement = Promise.withResolvers<void>();
  let awaited = false;
  const pace = new FetchPace({ measured: () => measurement.promise, isAwaited: () => awaited });
  const measure = (isNowAwaited: boolean) => {
    awaited = isNowAwaited;
    measurement.resolve();
    measurement = Promise.withResolvers();
  };
  const consumed = () => {
    awaited = false;
  };
  return { pace, measure, consumed };
}

/** Whether it has resolved, once everything that can go on has gone on. */
async function isResolved(promise: Promise<void>): Promise<boolean> {
  let resolved = false;
  void promise.then(() => (resolved = true));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  return resolved;
}

describe('the pace of fetching', () => {
  it('waits for end offsets that figures wait for, all partitions together, each time anew', async () => {
    const { pace, measure, consumed } = paced();
    for (let step = 0; step < 3; step += 1) {
      const waits = [pace.wait(live, never), pace.wait(live, never)];
      expect(await Promise.all(waits.map((wait) => isResolved(wait)))).toEqual([false, false]);
      measure(false);
      expect(await Promise.all(waits.map((wait) => isResolved(wait)))).toEqual([false, false]);
      measure(true);
      await Promise.all(waits);
      consumed();
    }
  });

  it('does not wait where more is in the log already: a backlog is read without a rest', async () => {
    const { pace } = paced();
    expect(await isResolved(pace.wait({ isAtEnd: false }, never))).toBe(true);
  });

  it('does not wait where figures came to wait for more while a round was being written', async () => {
    const { pace, measure } = paced();
    measure(true);
    expect(await isResolved(pace.wait(live, never))).toBe(true);
  });

  it('ends at once when the generation ends or the server closes', async () => {
    const { pace } = paced();
    const ended = new AbortController();
    const wait = pace.wait(live, ended.signal);
    expect(await isResolved(wait)).toBe(false);
    ended.abort();
    await wait;
    await pace.wait(live, ended.signal);
  });

  it('goes on without measurements after a bounded time: whoever is away is told of by others', async () => {
    const { pace } = paced();
    const wait = pace.wait(live, never);
    expect(await isResolved(wait)).toBe(false);
    await wait;
  });
});

describe('what figures wait for', () => {
  const step = { delaySeconds: 0, stepSeconds: 2 };

  it('is what brings C to the next multiple of the step', () => {
    expect(isAwaited([{ fromMs: at(0), toMs: at(1) }], step)).toBe(false);
    expect(isAwaited([{ fromMs: at(0), toMs: at(2) }], step)).toBe(true);
    expect(isAwaited([{ fromMs: at(1), toMs: at(2) }], step)).toBe(true);
    expect(
      isAwaited(
        [
          { fromMs: at(1) - 1_000, toMs: at(1) + 500 },
          { fromMs: at(1), toMs: at(2) },
        ],
        step,
      ),
    ).toBe(true);
  });

  it('is counted from the feed’s delay, by which T lies behind', () => {
    const delayed = { ...step, delaySeconds: 13 };
    expect(isAwaited([{ fromMs: at(0), toMs: at(1) }], delayed)).toBe(true);
    expect(isAwaited([{ fromMs: at(1), toMs: at(2) }], delayed)).toBe(false);
  });

  it('is every second where the step is odd, and every other one where it is longer and even', () => {
    expect(isAwaited([{ fromMs: at(0), toMs: at(1) }], { ...step, stepSeconds: 1 })).toBe(true);
    expect(isAwaited([{ fromMs: at(0), toMs: at(1) }], { ...step, stepSeconds: 3 })).toBe(true);
    expect(isAwaited([{ fromMs: at(0), toMs: at(1) }], { ...step, stepSeconds: 4 })).toBe(false);
    expect(isAwaited([{ fromMs: at(0), toMs: at(2) }], { ...step, stepSeconds: 4 })).toBe(true);
  });

  it('is anything where it is not known up to when a partition is consumed, and nothing where nothing waits', () => {
    expect(isAwaited([{ fromMs: null, toMs: at(1) }], step)).toBe(true);
    expect(isAwaited([], step)).toBe(false);
  });
});
