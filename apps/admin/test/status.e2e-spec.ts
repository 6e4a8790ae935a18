import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadLetterTopicOf } from '@jetton-analytics/common';
import { steps } from '@jetton-analytics/figures';
import { systemClock } from '@jetton-analytics/service';
import { sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { address, nativeAddress } from '../../aggregator/test/feed-messages.js';
import { type KafkaBench, openBench } from '../../../packages/kafka/test/support/kafka-bench.js';
import { type ExplainedStore, newExplainedStore } from './explained-store.js';
import { admin, adminHere } from './run-command.js';

const c = 1_773_136_817;
let bench: KafkaBench;
let store: ExplainedStore;
let group: string;
let env: Record<string, string>;
let topic: string;
beforeAll(async () => {
  const { brokers } = await sharedKafka();
  bench = await openBench(brokers);
  topic = await bench.newTopic(uniqueName('trades'));
  await bench.newTopic(deadLetterTopicOf(topic));
  await bench.producer.send(topic, [{ value: 'one' }, { value: 'two' }]);
  await bench.producer.send(deadLetterTopicOf(topic), [{ value: 'bad' }]);
  store = await newExplainedStore();
  await store.write({ sold: nativeAddress, bought: address('any'), eventTime: c - 60 });
  for (const step of steps) await store.take(step, c);
  group = uniqueName('group');
  env = { ...store.env, KAFKA_BROKERS: brokers.join(','), SOURCE_KAFKA_GROUP_ID: group, DEX_TRADES_TOPIC: topic };
}, 480_000);
afterAll(async () => {
  await Promise.all([bench?.close(), store?.store.close()]);
});

describe('status of the stores', () => {
  it('tells inputs, windows, what is not consumed and the dead letters', async () => {
    await store.tell(systemClock.now());
    const ended = await admin(['status', '--json'], env);
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(ended.json()).toMatchObject({
      clickhouse: {
        clock: 'wall',
        inputs: [{ topic: 'indexer.streaming_dex_trades', state: 'live', lagMessages: '0' }],
        windows: { min15: { calculatedAt: '2026-03-10T10:00:17Z' }, month: { inputPosition: '1' } },
      },
      kafka: {
        groups: [
          { groupId: group, state: 'Dead', members: 0 },
          { groupId: `${group}-states`, state: 'Dead', members: 0 },
        ],
      },
    });
    const { kafka } = ended.json() as { kafka: { topics: object[] } };
    expect(kafka.topics).toContainEqual({
      topic,
      lag: '2',
      partitions: [{ partition: 0, lag: '2' }],
      deadLetters: '1',
    });
    expect(kafka.topics).toHaveLength(4);
  }, 300_000);

  it('ends with a finding when an input is not live, and goes on where one store is away', async () => {
    await store.tell(systemClock.now() + 1);
    const away = await admin(['status', '--json', '--timeout', '40'], { ...env, CLICKHOUSE_URL: 'http://127.0.0.1:1' });
    expect([away.code, away.json()]).toMatchObject([
      4,
      {
        clickhouse: { error: expect.stringContaining('ClickHouse: ') },
        kafka: { groups: [{ members: 0 }, { members: 0 }] },
      },
    ]);
    // What was told half a minute ago by the clock of now is no news.
    const later = { now: () => systemClock.now() + 60_000 };
    const stalled = await adminHere(['status', '--json'], env, later);
    expect([stalled.code, stalled.json()]).toMatchObject([5, { clickhouse: { inputs: [{ state: 'stalled' }] } }]);
  }, 300_000);
});

describe('status of a gateway', () => {
  const status = {
    clock: 'wall',
    asOf: '2026-03-10T10:00:17Z',
    inputs: [
      {
        topic: 'trades',
        lagMessages: '0',
        lagSeconds: 0,
        state: 'live',
        partitions: [],
        gaps: [],
        newestEventTime: '2026-03-10T10:00:16Z',
      },
    ],
    windows: { hour: { calculatedAt: '2026-03-10T10:00:16Z', snapshot: '1', inputPosition: '2' } },
    jettons: 3,
    markets: 4,
  };
  let answer: { code: number; body: string } = { code: 200, body: '' };
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      response.writeHead(request.url === '/v1/status' ? answer.code : 404).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server?.close());

  it('is handed on as it is, and in tables for a person', async () => {
    answer = { code: 200, body: JSON.stringify(status) };
    const json = await adminHere(['status', '--url', url, '--json']);
    expect([json.code, json.json()]).toEqual([0, status]);
    const { out } = await adminHere(['status', '--url', `${url}/`]);
    expect(out).toContain('jettons  3 in 4 markets');
    expect(out).toMatch(/^trades +live +2026-03-10T10:00:16Z +0 +0 +0$/m);
  });

  it.each([
    [200, JSON.stringify({ ...status, inputs: [{ ...status.inputs[0], state: 'catchingUp' }] }), 5],
    [200, '{}', 3],
    [200, 'no json', 4],
    [503, '{}', 4],
  ])('answering %i %j ends as it should', async (code, body, exitCode) => {
    answer = { code, body };
    expect((await adminHere(['status', '--url', url])).code).toBe(exitCode);
  });

  it.each([
    ['http://127.0.0.1:1', 4],
    ['localhost:3000', 2],
    ['ftp://127.0.0.1', 2],
  ])('at %s ends as it should', async (base, exitCode) => {
    expect((await adminHere(['status', '--url', base])).code).toBe(exitCode);
  });
});
