import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineQuery } from '@jetton-analytics/clickhouse';
import { deadLetterTopicOf } from '@jetton-analytics/common';
import type { FaultReason } from '@jetton-analytics/feed';
import { createDataSource, JettonMetadata } from '@jetton-analytics/postgres';
import { systemClock } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { z } from 'zod';
import { address } from './feed-messages.js';
import { type FollowedRecord, type Input, newInput } from './input.js';
import { inputStatus } from './ledger.js';
import { type RunningApp, startApp } from './running-app.js';
import { balanceMessage, metadataMessage, poolMessage } from './state-messages.js';

// The process's clock only places the messages near now; every expectation follows from them.
const nowMs = systemClock.now();
const before2019 = Date.UTC(2019, 0, 1) - 1;

const storedPools = defineQuery({
  name: 'storedPools',
  sql: 'SELECT pool AS address FROM pool_states_v1 FINAL WHERE pool IN {addresses: Array(String)}',
  params: z.object({ addresses: z.array(z.string()) }),
  row: z.object({ address: z.string() }),
});
const storedBalances = defineQuery({
  name: 'storedBalances',
  sql: `SELECT asset AS address FROM jetton_holder_buckets_v1 FINAL
        WHERE asset IN {addresses: Array(String)} AND holders = 1 AND balance_sum = 1000`,
  params: z.object({ addresses: z.array(z.string()) }),
  row: z.object({ address: z.string() }),
});

interface BadMessage {
  readonly reason: FaultReason;
  readonly what: string;
  /** Replaces fields of a good message, or the whole value. */
  readonly change: Readonly<Record<string, unknown>> | Buffer;
  readonly timestampMs?: number;
}

const alike: readonly BadMessage[] = [
  { reason: 'not_utf8', what: 'bytes that are not UTF-8', change: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
  { reason: 'not_json', what: 'text that is not JSON', change: Buffer.from('{"address":') },
  { reason: 'not_object', what: 'JSON that is not an object', change: Buffer.from('[1]') },
  { reason: 'record_time_out_of_range', what: 'a record from before 2019', change: {}, timestampMs: before2019 },
  { reason: 'too_large', what: 'a value larger than 1 MiB', change: { padding: 'x'.repeat(1024 * 1024) } },
];

interface Topic {
  readonly name: 'pools' | 'metadata' | 'balances';
  message(key: string, fields?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  topicOf(input: Input): string;
  /** How many of these keys are stored. */
  stored(keys: readonly string[]): Promise<number>;
  readonly bad: readonly BadMessage[];
}

let input: Input;
let app: RunningApp;
let database: ReturnType<typeof createDataSource>;
const letters = new Map<string, FollowedRecord[]>();
const addressesOf = (keys: readonly string[]) => keys.map((key) => address(key).toLowerCase());

const topics: readonly Topic[] = [
  {
    name: 'pools',
    message: (key, fields) => poolMessage({ pool: address(key), last_updated: Math.floor(nowMs / 1_000), ...fields }),
    topicOf: ({ poolsTopic }) => poolsTopic,
    stored: async (keys) => (await input.store.query(storedPools, { addresses: addressesOf(keys) })).length,
    bad: [
      { reason: 'missing_field', what: 'no pool', change: { pool: null } },
      { reason: 'wrong_type', what: 'last_updated as text', change: { last_updated: '5' } },
      { reason: 'malformed_address', what: 'a malformed address', change: { jetton_left: '0:12' } },
      { reason: 'not_finite', what: 'a tvl that is no finite number', change: { tvl_usd: 'NaN' } },
      { reason: 'amount_out_of_range', what: 'a reserve of 2^120', change: { reserves_left: String(2n ** 120n) } },
      { reason: 'volume_out_of_range', what: 'a tvl below 0', change: { tvl_ton: '-1E-9' } },
      { reason: 'volume_out_of_range', what: 'a tvl of 10^18', change: { tvl_usd: '1E+18' } },
    ],
  },
  {
    name: 'metadata',
    message: (key, fields) => metadataMessage({ address: address(key), ...fields }),
    topicOf: ({ metadataTopic }) => metadataTopic,
    stored: (keys) =>
      database
        .createQueryBuilder(JettonMetadata, 'one')
        .where('one.address = ANY(:addresses)', { addresses: addressesOf(keys) })
        .getCount(),
    bad: [
      { reason: 'missing_field', what: 'no address', change: { address: null } },
      { reason: 'wrong_type', what: 'a name that is a number', change: { name: 5 } },
      { reason: 'malformed_address', what: 'a malformed admin', change: { admin_address: 'EQabc' } },
      { reason: 'malformed_hash', what: 'a malformed code hash', change: { code_hash: 'abc' } },
      { reason: 'amount_out_of_range', what: 'a supply below 0', change: { total_supply: '-1' } },
    ],
  },
  {
    name: 'balances',
    message: (key, fields) => balanceMessage({ asset: address(key), ...fields }),
    topicOf: ({ balancesTopic }) => balancesTopic,
    stored: async (keys) => (await input.store.query(storedBalances, { addresses: addressesOf(keys) })).length,
    bad: [
      { reason: 'missing_field', what: 'no logical time', change: { lt: null } },
      { reason: 'wrong_type', what: 'a timestamp as text', change: { timestamp: '5' } },
      { reason: 'malformed_address', what: 'a malformed owner', change: { address: '0:12' } },
      { reason: 'amount_out_of_range', what: 'an amount below 0', change: { amount: '-1' } },
    ],
  },
];

/** Good neighbours around a value, in one request; resolves with its offset once everything up to them is committed. */
async function between(topic: Topic, key: string, value: Buffer | null, timestampMs = nowMs): Promise<number> {
  const name = topic.topicOf(input);
  const neighbour = (place: string) => ({
    value: JSON.stringify(topic.message(`${key} ${place}`)),
    timestampMs: nowMs,
    partition: 0,
  });
  const [ack] = await input.producer.send(name, [
    neighbour('before'),
    { key: Buffer.from([0, 1, 255]), value, headers: { origin: Buffer.from([0xff, 0x00]) }, timestampMs, partition: 0 },
    neighbour('after'),
  ]);
  const offset = Number(ack?.baseOffset) + 1;
  await pollUntil(async () => (await input.committed(0, name)) >= offset + 2, {
    what: 'the commit',
    timeoutMs: 30_000,
  });
  return offset;
}

const neighboursOf = (topic: Topic, key: string) => topic.stored([`${key} before`, `${key} after`]);
const letterOf = (topic: Topic, offset: number) =>
  (letters.get(topic.name) ?? []).filter(({ headers }) => headers['dlq-offset']?.toString() === String(offset));

beforeAll(async () => {
  input = await newInput();
  database = await createDataSource(input.env['DATABASE_URL'] ?? '', { application: 'e2e' }).initialize();
  for (const topic of topics) letters.set(topic.name, input.follow(deadLetterTopicOf(topic.topicOf(input))));
  app = await startApp(input.env);
}, 600_000);
afterAll(async () => {
  await app?.close();
  await database?.destroy();
  await input?.close();
}, 300_000);

const cases = topics.flatMap((topic) =>
  [...topic.bad, ...alike].map((bad) => ({ topic, name: topic.name, what: bad.what, reason: bad.reason, bad })),
);

describe('a bad message of a state topic', () => {
  it.each(cases)(
    '($name: $what) goes to the dead letters as $reason with its bytes, key and headers; its neighbours are stored',
    async ({ topic, what, reason, bad: { change, timestampMs } }) => {
      const key = `${topic.name} ${what}`;
      const value = Buffer.isBuffer(change) ? change : Buffer.from(JSON.stringify(topic.message(key, change)));
      const offset = await between(topic, key, value, timestampMs);
      // The commit comes last: letter and neighbours are there already.
      expect(await neighboursOf(topic, key)).toBe(2);
      expect(await topic.stored([key])).toBe(0);
      const [letter, ...others] = await pollUntil(() => letterOf(topic, offset).length > 0 && letterOf(topic, offset), {
        what: 'the dead letter',
      });
      expect(others).toEqual([]);
      expect(letter?.value?.equals(value)).toBe(true);
      expect(letter?.key).toEqual(Buffer.from([0, 1, 255]));
      expect(letter?.headers['origin']).toEqual(Buffer.from([0xff, 0x00]));
      expect(letter?.headers['dlq-reason']?.toString()).toBe(reason);
      expect(letter?.headers['dlq-topic']?.toString()).toBe(topic.topicOf(input));
    },
    300_000,
  );
});

describe('a message of a state topic that is passed over', () => {
  const passedOver = [
    ...topics.map((topic) => ({ topic, name: topic.name, reason: 'tombstone', change: undefined })),
    ...topics
      .filter(({ name }) => name !== 'pools')
      .map((topic) => ({
        topic,
        name: topic.name,
        reason: 'native_asset',
        change: topic.name === 'balances' ? { asset: 'TON' } : { address: `0:${'0'.repeat(64)}` },
      })),
  ];
  it.each(passedOver)(
    '($name: $reason) is counted, is no dead letter, and its neighbours are stored',
    async ({ topic, reason, change }) => {
      const key = `${topic.name} ${reason}`;
      const counted = () => app.metric('state_messages_total', { input: topic.name, outcome: 'skip', reason });
      const before = await counted();
      const value = change === undefined ? null : Buffer.from(JSON.stringify(topic.message(key, change)));
      const offset = await between(topic, key, value);
      expect(await neighboursOf(topic, key)).toBe(2);
      expect(await counted()).toBe(before + 1);
      // A letter behind it shows that one for it would have come.
      const behind = await between(topic, `${key} behind`, Buffer.from('bad'));
      await pollUntil(() => letterOf(topic, behind).length > 0, { what: 'the dead letter behind' });
      expect(letterOf(topic, offset)).toEqual([]);
    },
    300_000,
  );
});

describe('the status', () => {
  it.each(topics.map((topic) => ({ topic, name: topic.name })))(
    'tells of the $name topic: newest event time, lag in messages and seconds, state, partitions',
    async ({ topic }) => {
      const name = topic.topicOf(input);
      const end = await between(topic, `${topic.name} status`, null);
      const { status } = await pollUntil(
        async () => {
          const known = await inputStatus(input.store, name);
          return known?.status.state === 'live' && known.status.partitions[0]?.position === String(end + 2) && known;
        },
        { what: `the status of ${name}`, timeoutMs: 60_000 },
      );
      expect(status).toMatchObject({ topic: name, lagMessages: '0', gaps: [] });
      expect(status.lagSeconds).toBeLessThan(60);
      const newest = topic.name === 'pools' ? Math.floor(nowMs / 1_000) : 1_767_312_000;
      expect(Date.parse(status.newestEventTime ?? '')).toBe(newest * 1_000);
    },
    300_000,
  );
});

describe('hostile metadata', () => {
  it('comes out harmless', async () => {
    const hostile = {
      address: address('hostile'),
      name: `\u202e<script>alert(1)</script>\u0000\u0007${'x'.repeat(300_000)}`,
      symbol: '\ud800\u2066A\u2069',
      links: [{ name: 'x', url: 'javascript:alert(1)', type: 'website' }],
    };
    await between(topics[1] as Topic, 'hostile', Buffer.from(JSON.stringify(metadataMessage(hostile))));
    const row = await database
      .getRepository(JettonMetadata)
      .findOneByOrFail({ address: hostile.address.toLowerCase() });
    expect(row).toMatchObject({ symbol: '\ufffdA', links: [] });
    expect(row.name).toMatch(/^<script>alert\(1\)<\/script>x{231}$/);
  }, 300_000);
});
