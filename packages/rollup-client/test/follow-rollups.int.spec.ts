import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JettonMinuteRollup, rollupEventHeaders } from '@jetton-analytics/common';
import { pollUntil } from '@jetton-analytics/testing';
import {
  followRollups,
  type InvalidRollup,
  type RollupSubscription,
  RollupTable,
  sortableRevision,
} from '../src/index.js';
import { keyOf, type Minutes, minuteOf, newMinutes, silent } from './support/minutes.js';

const dataset = 'jettonMinute';
const jettons = ['1', '2', '3'].map((digit) => `0:${digit.repeat(64)}`);
const [one = '', two = '', three = ''] = jettons;
const record = (n: number, revision: string, more: Partial<JettonMinuteRollup> = {}) =>
  minuteOf(jettons[n] ?? '', revision, more);

let minutes: Minutes;
const subscriptions: RollupSubscription[] = [];

/** A subscriber whose store may be away. */
function subscriber(isAway: () => boolean = () => false) {
  const table = new RollupTable<typeof dataset>();
  const invalid: InvalidRollup[] = [];
  const subscription = followRollups(minutes.kafka, {
    dataset,
    topicPrefix: minutes.prefix,
    logger: silent,
    async apply(records) {
      if (isAway()) throw new Error('the store is away');
      for (const newest of records) table.upsert(newest);
    },
    onInvalid: (refused) => invalid.push(refused),
  });
  subscriptions.push(subscription);
  return { table, invalid, subscription, revisions: () => jettons.map((jetton) => table.get(keyOf(jetton))?.revision) };
}

beforeAll(async () => {
  minutes = await newMinutes();
}, 300_000);
afterAll(async () => {
  await Promise.all(subscriptions.map((subscription) => subscription.stop()));
  await minutes?.close();
}, 180_000);

describe('a subscriber', () => {
  it('starts with the newest record of every key and follows from there, whatever the order of revisions', async () => {
    await minutes.publish([
      record(0, '9'),
      record(1, '5'),
      record(0, '10'),
      record(0, '8'),
      record(1, '5', { isFinal: true }),
    ]);
    const { subscription, revisions, table } = subscriber();
    await subscription.caughtUp;
    expect(revisions()).toEqual(['10', '5', undefined]);
    expect(table.get(keyOf(two))?.isFinal).toBe(true);
    await minutes.publish([record(0, '7'), record(2, '1'), record(1, '6', { watermark: '2026-01-01T00:02:00Z' })]);
    await pollUntil(() => table.size === 3 && revisions()[1] === '6', { what: 'the later records' });
    expect(revisions()).toEqual(['10', '6', '1']);
    expect(subscription.watermark).toBe('2026-01-01T00:02:00Z');
  });

  it('gives the same records again until its store has taken them', async () => {
    let failures = 0;
    const { subscription, revisions } = subscriber(() => failures++ < 2);
    await subscription.caughtUp;
    expect(failures).toBeGreaterThan(2);
    expect(revisions()).toEqual(['10', '6', '1']);
  });

  it('tells of records that do not keep the contract and goes on behind them', async () => {
    const headers = rollupEventHeaders(dataset, 'k', record(2, '2'));
    await minutes.publishRaw(three, [
      { value: '{', headers },
      { value: JSON.stringify({ ...record(2, '2'), volumeUsdBuy: 1.5 }), headers },
      { value: JSON.stringify(record(2, '2')), headers: { ...headers, ce_type: 'another' } },
      { value: null, headers },
    ]);
    await minutes.publish([record(2, '3')]);
    const { subscription, invalid, revisions } = subscriber();
    await subscription.caughtUp;
    expect(invalid.map(({ reason }) => reason)).toEqual(['no_json', 'other_shape', 'other_event_type', 'no_value']);
    expect(invalid[1]?.detail).toBe('volumeUsdBuy');
    expect(revisions()).toEqual(['10', '6', '3']);
  });
});

describe('the table of a subscriber', () => {
  it('forgets windows that are over when told to', () => {
    const table = new RollupTable<typeof dataset>();
    table.upsert({ key: keyOf(one), record: record(0, '1') });
    table.dropEndedBefore('2026-01-01T00:00:59Z');
    expect(table.size).toBe(1);
    table.dropEndedBefore('2026-01-01T00:01:00Z');
    expect([...table.entries()]).toEqual([]);
  });

  it('has revisions that sort as text', () => {
    const greatest = ((1n << 256n) - 1n).toString();
    expect(['10', '9', greatest].map(sortableRevision).sort()).toEqual(['9', '10', greatest].map(sortableRevision));
  });
});
