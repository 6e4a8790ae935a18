import { describe, expect, it } from '@jest/globals';
import { SharedRounds } from './shared-rounds.js';

function recording(fail?: (states: readonly string[]) => Error | undefined) {
  const rounds: (readonly string[])[] = [];
  const startedMs: number[] = [];
  const shared = new SharedRounds<string>(
    {
      write(states, assertOwned) {
        startedMs.push(performance.now());
        assertOwned();
        const error = fail?.(states);
        if (error !== undefined) return Promise.reject(error);
        rounds.push(states);
        return Promise.resolve();
      },
    },
    { periodMs: 60, gatherMs: 5 },
  );
  return { rounds, startedMs, shared };
}
const owned = () => undefined;

describe('rounds that batches share', () => {
  it('write what waits at once together, in the order it came', async () => {
    const { rounds, shared } = recording();
    await Promise.all([shared.write(['a', 'b'], owned), shared.write(['c'], owned)]);
    expect(rounds).toEqual([['a', 'b', 'c']]);
  });

  it('begin no more often than once in a period', async () => {
    const { startedMs, shared } = recording();
    for (const state of ['a', 'b', 'c']) await shared.write([state], owned);
    const gaps = startedMs.slice(1).map((ms, index) => ms - (startedMs[index] ?? 0));
    expect(gaps).toHaveLength(2);
    // Timers may fire a millisecond early.
    for (const gap of gaps) expect(gap).toBeGreaterThan(57);
  });

  it('leave out a batch whose partition belongs to somebody else, and tell it alone', async () => {
    const { rounds, shared } = recording();
    const lost = new Error('revoked');
    const results = await Promise.allSettled([
      shared.write(['a'], () => {
        throw lost;
      }),
      shared.write(['b'], owned),
    ]);
    expect(results).toEqual([
      { status: 'rejected', reason: lost },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(rounds).toEqual([['b']]);
  });

  it('tell every batch of a failed write, and go on with the next round', async () => {
    const away = new Error('away');
    let isAway = true;
    const { rounds, shared } = recording(() => (isAway ? away : undefined));
    const results = await Promise.allSettled([shared.write(['a'], owned), shared.write(['b'], owned)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await shared.write(['a', 'b'], owned);
    expect(rounds).toEqual([['a', 'b']]);
  });
});
