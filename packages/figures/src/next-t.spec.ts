import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { consumedUpTo, nextT, type NextTInput, type WatermarkState } from './next-t.js';

const state = (overrides: Partial<WatermarkState> = {}): WatermarkState => ({
  consumedUpToMs: 1_700_000_000_000,
  maxEventTime: null,
  delays: [],
  ...overrides,
});

const input = (overrides: Partial<NextTInput> = {}): NextTInput => ({
  clock: { mode: 'wall' },
  partitions: [state()],
  lastT: undefined,
  feedDelay: 0,
  lastDelaySeconds: 0,
  ...overrides,
});

describe('T on the wall clock', () => {
  it('is floor(min over partitions of "consumed up to") − d', () => {
    // min(1,700,000,009,999; 1,700,000,012,000) ms → 1,700,000,009 s; − 4
    const partitions = [state({ consumedUpToMs: 1_700_000_012_000 }), state({ consumedUpToMs: 1_700_000_009_999 })];
    expect(consumedUpTo(partitions)).toBe(1_700_000_009);
    expect(nextT(input({ partitions, feedDelay: 4 }))).toEqual({ t: 1_700_000_005, delaySeconds: 4 });
  });

  it('takes d from the trades themselves with auto, and keeps the last d when there were none', () => {
    const delays = [{ minute: 1_699_999_980, counts: { '11': 100 } }];
    expect(nextT(input({ feedDelay: 'auto', partitions: [state({ delays })] }))).toEqual({
      t: 1_699_999_989,
      delaySeconds: 11,
    });
    expect(nextT(input({ feedDelay: 'auto', lastDelaySeconds: 7 }))).toEqual({ t: 1_699_999_993, delaySeconds: 7 });
  });

  it('has no new value while a partition has no record or does not know how far it is', () => {
    for (const missing of [undefined, state({ consumedUpToMs: null })]) {
      const result = nextT(input({ partitions: [state(), missing], lastT: 5, lastDelaySeconds: 3 }));
      expect(result).toEqual({ t: undefined, delaySeconds: 3 });
    }
    expect(nextT(input({ partitions: [] })).t).toBeUndefined();
  });

  it('continues from the last one stored and stands still rather than go back, also when d grows', () => {
    expect(nextT(input({ lastT: 1_700_000_500 })).t).toBe(1_700_000_500);
    expect(nextT(input({ lastT: 1_699_999_998, feedDelay: 10 })).t).toBe(1_699_999_998);
    expect(nextT(input({ lastT: 1_699_999_998, feedDelay: 1 })).t).toBe(1_699_999_999);
  });

  it('never goes back over any sequence of records', () => {
    const record = fc.option(
      fc.record({
        consumedUpToMs: fc.option(fc.integer({ min: 1_600_000_000_000, max: 1_600_001_000_000 })),
        maxEventTime: fc.option(fc.integer({ min: 1_600_000_000, max: 1_600_001_000 })),
        delays: fc.constant([]),
      }),
      { nil: undefined },
    );
    const modes = fc.constantFrom({ mode: 'wall' } as const, { mode: 'event' } as const);
    fc.assert(
      fc.property(fc.array(fc.array(record, { minLength: 1, maxLength: 4 })), modes, (rounds, clock) => {
        let lastT: number | undefined;
        for (const partitions of rounds) {
          const { t } = nextT(input({ clock, partitions, lastT, feedDelay: 'auto' }));
          if (t === undefined) continue;
          expect(t).toBeGreaterThanOrEqual(lastT ?? t);
          lastT = t;
        }
      }),
    );
  });
});

describe('T with CLOCK=event', () => {
  const clock = { mode: 'event' } as const;

  it('is the greatest accepted event_time of all partitions + 1 s, without d', () => {
    const partitions = [state({ maxEventTime: 100 }), state({ maxEventTime: 250 }), state()];
    expect(nextT(input({ clock, partitions, feedDelay: 30, lastDelaySeconds: 2 }))).toEqual({
      t: 251,
      delaySeconds: 2,
    });
  });

  it('has no new value while a partition has no record, or before the first trade', () => {
    expect(nextT(input({ clock, partitions: [state({ maxEventTime: 100 }), undefined] })).t).toBeUndefined();
    expect(nextT(input({ clock, partitions: [state(), state()] })).t).toBeUndefined();
  });

  it('never goes back', () => {
    expect(nextT(input({ clock, partitions: [state({ maxEventTime: 100 })], lastT: 300 })).t).toBe(300);
  });
});

describe('T with CLOCK=fixed', () => {
  it('is the pinned instant, whatever was consumed', () => {
    const clock = { mode: 'fixed', at: 1_641_340_800 } as const;
    expect(nextT(input({ clock })).t).toBe(1_641_340_800);
    expect(nextT(input({ clock, partitions: [undefined] })).t).toBe(1_641_340_800);
  });
});
