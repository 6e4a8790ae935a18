import { describe, expect, it } from '@jest/globals';
import type { ServiceStatus } from '@jetton-analytics/common';
import { CatchUpTarget, progressOf } from './catch-up.js';

const topic = 'trades';
const calculatedAt = '2026-01-01T00:00:00Z';

function statusOf(overrides: { read?: string; end?: string; counted?: Record<string, string>; clock?: string } = {}) {
  const { read = '10', end = '10', counted = {}, clock = 'wall' } = overrides;
  const status: ServiceStatus = {
    clock,
    asOf: calculatedAt,
    inputs: [
      {
        topic,
        lagMessages: '0',
        lagSeconds: 0,
        state: 'live',
        partitions: [{ partition: 0, position: read, endOffset: end, lagMessages: '0' }],
        gaps: [],
      },
    ],
    windows: Object.fromEntries(
      Object.entries(counted).map(([name, inputPosition]) => [name, { calculatedAt, snapshot: '1', inputPosition }]),
    ),
    jettons: 0,
    markets: 0,
  };
  return progressOf(status, topic);
}

describe('having caught up', () => {
  it('is reached when the figures hold everything that was there when the feed was through', () => {
    expect(new CatchUpTarget().isReached(statusOf({ counted: { min15: '10', hour: '10' } }), true)).toBe(true);
  });

  it.each([
    ['the feed still sends', statusOf({ counted: { hour: '10' } }), false],
    ['messages are unread', statusOf({ read: '9', counted: { hour: '9' } }), true],
    ['a window lacks the last messages', statusOf({ counted: { min15: '10', hour: '9' } }), true],
    ['there are no figures', statusOf(), true],
    ['there is nothing in the topic', statusOf({ read: '0', end: '0', counted: { hour: '0' } }), true],
  ])('is not reached while %s', (_case, progress, feedIsThrough) => {
    expect(new CatchUpTarget().isReached(progress, feedIsThrough)).toBe(false);
  });

  it('does not run after a feed that goes on', () => {
    const target = new CatchUpTarget();
    expect(target.isReached(statusOf({ counted: { hour: '8' } }), true)).toBe(false);
    expect(target.isReached(statusOf({ read: '14', end: '15', counted: { hour: '10' } }), true)).toBe(true);
  });

  it('waits for the long windows only where they are calculated every second', () => {
    const counted = { min15: '10', hour: '10', month: '3' };
    expect(new CatchUpTarget().isReached(statusOf({ counted, clock: 'wall' }), true)).toBe(true);
    expect(new CatchUpTarget().isReached(statusOf({ counted, clock: 'event' }), true)).toBe(false);
  });
});
