import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type JettonMinuteRollup,
  jettonRollupKey,
  rollupEventHeaders,
  rollupPartitionOf,
  rollupTopicOf,
  rollupTopics,
} from '@jetton-analytics/common';
import {
  createKafka,
  createProducer,
  ensureTopics,
  type KafkaLogger,
  type KafkaProducer,
} from '@jetton-analytics/kafka';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import type { Kafka } from 'kafkajs';
import {
  followRollups,
  type InvalidRollup,
  type RollupSubscription,
  RollupTable,
  sortableRevision,
} from '../src/index.js';

const nothing = (): void => undefined;
const silent: KafkaLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const partitions = 2;
const dataset = 'jettonMinute';
const prefix = `${uniqueName('client')}.`;
const topic = rollupTopicOf(dataset, prefix);
const jettons = ['1', '2', '3'].map((digit) => `0:${digit.repeat(64)}`);

function record(n: number, revision: string, more: Partial<JettonMinuteRollup> = {}): JettonMinuteRollup {
  return {
    grain: 'minute',
    jetton: jettons[n] ?? '',
    windowStart: '2026-01-01T00:00:00Z',
    windowEnd: '2026-01-01T00:01:00Z',
    revision,
    watermark: '2026-01-01T00:00:30Z',
    computedAt: '2026-01-01T00:00:31.000Z',
    isFinal: false,
    transactionsBuy: revision,
    transactionsSell: '0',
    volumeUsdBuy: '1.5',
    volumeUsdSell: '0',
    volumeTonBuy: '0',
    volumeTonSell: '0',
    traders: '1',
    tradersBuy: '1',
    tradersSell: '0',
    ...more,
  };
}
const keyOf = ({ jetton }: JettonMinuteRollup) => jettonRollupKey(jetton, 'minute', 1_767_225_600);

let kafka: Kafka;
let producer: KafkaProducer;
const subscriptions: RollupSubscription[] = [];

const publish = (records: readonly JettonMinuteRollup[]) =>
  producer.send(
    topic,
    records.map((one) => ({
      key: keyOf(one),
      value: JSON.stringify({ ...one, ofALaterVersion: 'passed over' }),
      headers: rollupEventHeaders(dataset, keyOf(one), one),
      partition: rollupPartitionOf(one.jetton, partitions),
    })),
  );

/** A subscriber whose store may be away. */
function subscriber(isAway: () => boolean = () => false) {
  const table = new RollupTable<typeof dataset>();
  const invalid: InvalidRollup[] = [];
  const subscription = followRollups(kafka, {
    dataset,
    topicPrefix: prefix,
    logger: silent,
    async apply(records) {
      if (isAway()) throw new Error('the store is away');
      for (const one of records) table.upsert(one);
    },
    onInvalid: (one) => invalid.push(one),
  });
  subscriptions.push(subscription);
  return {
    table,
    invalid,
    subscription,
    revisions: () => jettons.map((_, n) => table.get(keyOf(record(n, '0')))?.revision),
  };
}

beforeAll(async () => {
  const { brokers } = await sharedKafka();
  kafka = createKafka({ prefix: 'KAFKA_', brokers, clientId: 'rollup client tests' }, silent);
  producer = createProducer(kafka);
  await producer.connect();
  const admin = kafka.admin();
  await admin.connect();
  await ensureTopics(admin, rollupTopics({ prefix, partitions }));
  await admin.disconnect();
}, 60_000);
afterAll(async () => {
  await Promise.all(subscriptions.map((subscription) => subscription.stop()));
  await producer?.disconnect();
}, 30_000);

describe('a subscriber', () => {
  it('starts with the newest record of every key and follows from there, whatever the order of revisions', async () => {
    await publish([record(0, '9'), record(1, '5'), record(0, '10'), record(0, '8'), record(1, '5', { isFinal: true })]);
    const { subscription, revisions, table } = subscriber();
    await subscription.caughtUp;
    expect(revisions()).toEqual(['10', '5', undefined]);
    expect(table.get(keyOf(record(1, '5')))?.isFinal).toBe(true);
    await publish([record(0, '7'), record(2, '1'), record(1, '6', { watermark: '2026-01-01T00:02:00Z' })]);
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
    const at = { partition: rollupPartitionOf(jettons[2] ?? '', partitions) };
    const headers = rollupEventHeaders(dataset, 'k', record(2, '2'));
    await producer.send(topic, [
      { ...at, key: 'k', value: '{', headers },
      { ...at, key: 'k', value: JSON.stringify({ ...record(2, '2'), volumeUsdBuy: 1.5 }), headers },
      { ...at, key: 'k', value: JSON.stringify(record(2, '2')), headers: { ...headers, ce_type: 'another' } },
      { ...at, key: 'k', value: null, headers },
    ]);
    await publish([record(2, '3')]);
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
    const one = record(0, '1');
    table.upsert({ key: keyOf(one), record: one });
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
