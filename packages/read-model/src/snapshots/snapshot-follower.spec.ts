import { describe, expect, it } from '@jest/globals';
import { steps } from '@jetton-analytics/figures';
import { FakeSnapshotStore } from '../../test/fake-snapshot-store.js';
import { SnapshotFollower } from './snapshot-follower.js';
import { Snapshots } from './snapshots.js';

function followedStore() {
  let isAway = false;
  let looks = 0;
  let nowMs = 0;
  const store = new FakeSnapshotStore(() => {
    looks += 1;
    if (isAway) throw new Error('the store is away');
  });
  const publish = (value: string) => {
    store.apply({ kind: 'change', key: 'a', value });
    for (const step of steps) for (const kind of ['write', 'mark'] as const) store.apply({ kind, step });
  };
  store.apply({ kind: 'elect', clock: 'wall' });
  publish('1');
  const model = new Snapshots();
  const follower = new SnapshotFollower(store, model, { nowMs: () => nowMs });
  const looksOf = async (round: () => Promise<void>) => {
    const before = looks;
    await round();
    return looks - before;
  };
  return {
    store,
    model,
    publish,
    cut: (away: boolean) => void (isAway = away),
    pass: (ms: number) => void (nowMs += ms),
    follow: () => looksOf(follower.followOnce),
    value: () => model.jetton('a')?.short,
  };
}

describe('SnapshotFollower', () => {
  it('asks for the number of markers alone while nothing is published', async () => {
    const { follow, pass } = followedStore();
    expect(await follow()).toBeGreaterThan(1);
    pass(200);
    expect(await follow()).toBe(1);
  });

  it('shows what was published by the next round', async () => {
    const { follow, publish, value } = followedStore();
    await follow();
    publish('2');
    await follow();
    expect(value()).toBe('2');
  });

  it('finds another clock, which comes without a marker, within five seconds', async () => {
    const { follow, store, model, pass } = followedStore();
    await follow();
    store.apply({ kind: 'elect', clock: 'event' });
    pass(4_999);
    await follow();
    expect(model.clock).toBe('wall');
    pass(1);
    await follow();
    expect(model.clock).toBe('event');
  });

  it('looks again after a round that failed, though no marker came since', async () => {
    const { follow, publish, value, store, cut } = followedStore();
    await follow();
    publish('2');
    const count = await store.markerCount();
    cut(true);
    await expect(follow()).rejects.toThrow('the store is away');
    cut(false);
    expect(await store.markerCount()).toBe(count);
    await follow();
    expect(value()).toBe('2');
  });
});
