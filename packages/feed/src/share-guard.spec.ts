import { describe, expect, it } from '@jest/globals';
import { parseWith } from '../test/factory.js';
import type { CountedOutcome } from './share-guard.js';
import { createShareGuard } from './share-guard.js';

const good: CountedOutcome = { kind: 'trade' };
const bad: CountedOutcome = { kind: 'fault', reason: 'not_json' };
const nullToken: CountedOutcome = { kind: 'skip', reason: 'null_token' };
const ignored: CountedOutcome[] = [
  { kind: 'fault', reason: 'too_late' },
  { kind: 'skip', reason: 'launch' },
  { kind: 'skip', reason: 'other_event_type' },
  { kind: 'skip', reason: 'tombstone' },
];

function feed(guard: ReturnType<typeof createShareGuard>, outcomes: Iterable<CountedOutcome>) {
  let last = { tripped: false, share: 0 };
  let trips = 0;
  for (const outcome of outcomes) {
    last = guard.record(outcome);
    if (last.tripped) trips += 1;
  }
  return { ...last, trips };
}

const times = (count: number, outcome: CountedOutcome) => Array.from({ length: count }, () => outcome);

describe('the share of bad messages', () => {
  it('trips at 20 % of the last 1,000 and not one message below', () => {
    expect(feed(createShareGuard(), [...times(199, bad), ...times(801, good)])).toMatchObject({
      tripped: false,
      share: 0.199,
    });
    expect(feed(createShareGuard(), [...times(200, bad), ...times(800, good)])).toMatchObject({
      tripped: true,
      share: 0.2,
    });
  });

  it('trips in full windows only, however bad the first messages are', () => {
    const guard = createShareGuard();
    expect(feed(guard, times(999, bad))).toMatchObject({ tripped: false, trips: 0, share: 1 });
    expect(guard.record(bad)).toEqual({ tripped: true, share: 1 });
  });

  it('asks of the last 1,000: what is older no longer counts', () => {
    const guard = createShareGuard();
    feed(guard, [...times(150, bad), ...times(850, good)]);
    expect(feed(guard, times(49, good)).trips).toBe(0);
    // 101 of the first 150 are still in the window.
    expect(feed(guard, times(98, bad))).toMatchObject({ tripped: false, trips: 0 });
    expect(feed(guard, times(1000, good))).toMatchObject({ tripped: false, share: 0 });
    expect(feed(guard, times(200, bad))).toMatchObject({ tripped: true, trips: 1, share: 0.2 });
  });

  it('counts states and rows of the chain’s own coin as good messages', () => {
    const guard = createShareGuard({ shareMax: 0.5, windowMessages: 4 });
    expect(feed(guard, [bad, { kind: 'state' }, { kind: 'skip', reason: 'native_asset' }, good])).toMatchObject({
      tripped: false,
      share: 0.25,
    });
  });

  it('does not count too late messages, launches, other event types and tombstones, either way', () => {
    const guard = createShareGuard({ shareMax: 0.5, windowMessages: 4 });
    feed(guard, [bad, bad, good]);
    for (const outcome of ignored) expect(guard.record(outcome)).toEqual({ tripped: false, share: 2 / 3 });
    expect(guard.record(good)).toEqual({ tripped: true, share: 0.5 });
  });

  it('counts a null token as a good message', () => {
    expect(
      feed(createShareGuard({ shareMax: 0.5, windowMessages: 4 }), [bad, nullToken, nullToken, nullToken]),
    ).toMatchObject({
      tripped: false,
      share: 0.25,
    });
  });

  it('takes what the parser gives', () => {
    const guard = createShareGuard({ shareMax: 1, windowMessages: 2 });
    expect(guard.record(parseWith())).toEqual({ tripped: false, share: 0 });
    expect(guard.record(parseWith({ tx_hash: undefined }))).toEqual({ tripped: false, share: 0.5 });
    expect(guard.record(parseWith({ event_type: '1' }))).toEqual({ tripped: true, share: 1 });
  });

  it('refuses bounds that could never work', () => {
    expect(() => createShareGuard({ shareMax: 0 })).toThrow(RangeError);
    expect(() => createShareGuard({ shareMax: 1.1 })).toThrow(RangeError);
    expect(() => createShareGuard({ windowMessages: 0.5 })).toThrow(RangeError);
  });
});
