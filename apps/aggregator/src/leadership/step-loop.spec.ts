import { describe, expect, it } from '@jest/globals';
import type { Instant } from '../snapshots/step-snapshots.js';
import { isDue, runStepLoop } from './step-loop.js';

const instant = (calculatedAt: number, positions: Record<number, string>): Instant => ({
  calculatedAt,
  asOf: calculatedAt,
  positions: new Map(Object.entries(positions).map(([partition, position]) => [Number(partition), position])),
  markedOn: '2026-01-01',
});
const last = instant(120, { 0: '5', 1: '7' });

/** When it begins its first four snapshots, of which each takes `tookMs`, by a clock that moves on only while it waits. */
async function startsOf({ isCatchingUp, tookMs }: { isCatchingUp: boolean; tookMs: number }): Promise<number[]> {
  const ended = new AbortController();
  const starts: number[] = [];
  let nowMs = 0;
  let taken: Instant | undefined;
  await runStepLoop({
    step: 'short',
    stepSeconds: 1,
    snapshots: {
      get last() {
        return taken;
      },
      hasNewFacts: false,
      take: async (next) => {
        starts.push(nowMs);
        if (starts.length === 4) ended.abort();
        nowMs += tookMs;
        taken = next;
        return { version: '1', rows: 1, full: false };
      },
    },
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    signal: ended.signal,
    nowMs: () => nowMs,
    // C moves on all the time: a snapshot is always due.
    instant: () => instant(nowMs, {}),
    isCatchingUp: () => isCatchingUp,
    changed: async (timeoutMs) => {
      nowMs += timeoutMs;
    },
    assertLeading: () => undefined,
    during: (work) => work(),
    onTaken: () => undefined,
  });
  return starts;
}

describe('a snapshot', () => {
  it('is due at once where there is none yet, or after one that failed', () => {
    expect(isDue(last, undefined, { lastMs: 0, hasNewFacts: false }, 120)).toBe(true);
  });

  it('is due when C moves on, although nothing is traded', () => {
    expect(isDue(instant(240, { 0: '5', 1: '7' }), last, { lastMs: 0, hasNewFacts: false }, 120)).toBe(true);
  });

  it('is due with T standing still when the ledger changed, once C should have moved on', () => {
    const changed = instant(120, { 0: '5', 1: '8' });
    expect(isDue(changed, last, { lastMs: 2_999, hasNewFacts: false }, 2)).toBe(false);
    expect(isDue(changed, last, { lastMs: 3_000, hasNewFacts: false }, 2)).toBe(true);
  });

  it('is due when the ledger changed by a log that was cut, or by a partition that was added', () => {
    expect(isDue(instant(120, { 0: '5', 1: '2' }), last, { lastMs: 3_000, hasNewFacts: false }, 2)).toBe(true);
    expect(isDue(instant(120, { 0: '5', 1: '7', 2: '0' }), last, { lastMs: 3_000, hasNewFacts: false }, 2)).toBe(true);
  });

  it('is due with T standing still when other facts are known, once C should have moved on', () => {
    expect(isDue(last, last, { lastMs: 2_999, hasNewFacts: true }, 2)).toBe(false);
    expect(isDue(last, last, { lastMs: 3_000, hasNewFacts: true }, 2)).toBe(true);
  });

  it('is not due while neither C nor the ledger nor the facts moved', () => {
    expect(isDue(instant(120, { 0: '5', 1: '7' }), last, { lastMs: 1e9, hasNewFacts: false }, 2)).toBe(false);
  });
});

describe('the loop of a step', () => {
  it('rests after a snapshot for as long as it took', async () => {
    expect(await startsOf({ isCatchingUp: false, tookMs: 3_000 })).toEqual([0, 6_000, 12_000, 18_000]);
  });

  it('leaves most of the time to a backlog: half a minute between two snapshots, nineteen times what a long one took', async () => {
    expect(await startsOf({ isCatchingUp: true, tookMs: 500 })).toEqual([0, 30_000, 60_000, 90_000]);
    expect(await startsOf({ isCatchingUp: true, tookMs: 3_000 })).toEqual([0, 60_000, 120_000, 180_000]);
  });
});
