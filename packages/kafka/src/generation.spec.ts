import { beforeEach, describe, expect, it } from '@jest/globals';
import { StaleGenerationError } from './errors.js';
import { type Generation, Membership } from './generation.js';

const sessionTimeoutMs = 1_000;
let nowMs: number;
let told: string[];
let generations: Generation[];
let membership: Membership;

beforeEach(() => {
  nowMs = 0;
  told = [];
  generations = [];
  membership = new Membership(sessionTimeoutMs, () => nowMs, {
    started: (generation) => {
      told.push(`started ${generation.generationId}`);
      generations.push(generation);
    },
    ended: ({ generationId }) => told.push(`ended ${generationId}`),
  });
});

const join = (memberId: string, generationId: number): Generation => {
  membership.join(memberId, { trades: [0, 1] });
  membership.heartbeatAcknowledged(memberId, generationId, 0);
  const current = membership.current();
  if (!current) throw new Error('no generation');
  return current;
};

describe('Membership', () => {
  it('starts a generation only when the coordinator has confirmed it', () => {
    membership.heartbeatAcknowledged('me', 6, 0);
    membership.join('me', { trades: [0] });
    expect(membership.current()).toBeUndefined();
    membership.heartbeatAcknowledged('somebody', 7, 0);
    expect(membership.current()).toBeUndefined();
    membership.heartbeatAcknowledged('me', 7, 0);
    expect(membership.current()?.generationId).toBe(7);
    expect(told).toEqual(['started 7']);
  });

  it('knows the partitions that were assigned with it', () => {
    const generation = join('me', 1);
    expect([generation.owns('trades', 1), generation.owns('trades', 2), generation.owns('pools', 0)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['a rebalance', () => membership.end()],
    ['a new join', () => membership.join('me', { trades: [0] })],
    ['leaving', () => membership.leave()],
  ])('makes the token stale and aborts its signal on %s', (_name, happen) => {
    const generation = join('me', 3);
    happen();
    expect(generation.isCurrent()).toBe(false);
    expect(generation.signal.aborted).toBe(true);
    expect(() => generation.assertCurrent()).toThrow(StaleGenerationError);
    expect(told).toEqual(['started 3', 'ended 3']);
    expect(membership.current()).toBeUndefined();
  });

  it('does not let the token of an earlier generation end a later one', () => {
    const first = join('me', 3);
    const second = join('me', 4);
    membership.end(first);
    expect(second.isCurrent()).toBe(true);
  });

  it('holds a token for stale once no heartbeat was acknowledged for the length of the session', () => {
    const generation = join('me', 3);
    nowMs = 900;
    membership.heartbeatAcknowledged('me', 3, 0);
    nowMs = 1_899;
    expect(generation.isCurrent()).toBe(true);
    nowMs = 1_900;
    expect(generation.isCurrent()).toBe(false);
  });

  it('starts anew, with another token, when the coordinator acknowledges after such a silence', () => {
    const first = join('me', 3);
    nowMs = 5_000;
    membership.heartbeatAcknowledged('me', 3, 0);
    expect(membership.current()).not.toBe(first);
    expect(membership.current()?.isCurrent()).toBe(true);
    expect(first.isCurrent()).toBe(false);
    expect(told).toEqual(['started 3', 'ended 3', 'started 3']);
  });

  it('counts the session from when the heartbeat was sent, as the coordinator does, not from when its answer was read', () => {
    const generation = join('me', 3);
    nowMs = 900;
    membership.heartbeatAcknowledged('me', 3, 400);
    nowMs = 1_499;
    expect(generation.isCurrent()).toBe(true);
    nowMs = 1_500;
    expect(generation.isCurrent()).toBe(false);
  });

  it('believes no answer that a stalled process reads after its session: the partitions are another one’s by then', () => {
    const generation = join('me', 3);
    nowMs = 5_000;
    membership.heartbeatAcknowledged('me', 3, 4_900);
    expect(generation.isCurrent()).toBe(false);
    expect(membership.current()).toBeUndefined();
    expect(told).toEqual(['started 3']);
  });

  it('starts no generation from a heartbeat that comes after leaving', () => {
    join('me', 3);
    membership.leave();
    membership.heartbeatAcknowledged('me', 3, 0);
    expect(membership.current()).toBeUndefined();
  });
});
