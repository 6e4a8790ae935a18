import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FaultReason, faultReasons } from '@jetton-analytics/feed';
import { systemClock } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { address, nativeAddress, type TradeFields, tradeMessage } from './feed-messages.js';
import { type FollowedRecord, type Input, newInput } from './input.js';
import { inputStatus, legsOfTransactions } from './ledger.js';
import { type RunningApp, startApp } from './running-app.js';

// The process's clock only places the messages near now; every expectation follows from them.
const now = Math.floor(systemClock.now() / 1_000);
const firstOf2019 = Date.UTC(2019, 0, 1) / 1_000;
const jetton = address('jetton');
const retentionDays = 62;

const good = (tx: string): TradeFields => ({ tx, eventTime: now - 60, sold: nativeAddress, bought: jetton });
const hashOf = (tx: string) => createHash('sha256').update(tx).digest('hex');
const changed = (fields: Record<string, unknown>) =>
  Buffer.from(JSON.stringify({ ...tradeMessage(good('bad')), ...fields }));

interface BadMessage {
  readonly what: string;
  readonly reason: FaultReason;
  readonly value: Buffer;
  readonly timestampMs?: number;
}

const badMessages: readonly BadMessage[] = [
  { what: 'bytes that are not UTF-8', reason: 'not_utf8', value: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
  { what: 'text that is not JSON', reason: 'not_json', value: Buffer.from('{"event_type":') },
  { what: 'JSON that is not an object', reason: 'not_object', value: Buffer.from('[1]') },
  { what: 'a required field that is missing', reason: 'missing_field', value: changed({ tx_hash: undefined }) },
  { what: 'a required field of the wrong type', reason: 'wrong_type', value: changed({ event_time: true }) },
  { what: 'a malformed address', reason: 'malformed_address', value: changed({ pool_address: '0:12' }) },
  { what: 'a malformed hash', reason: 'malformed_hash', value: changed({ tx_hash: 'abc' }) },
  { what: 'a volume that is no finite number', reason: 'not_finite', value: changed({ volume_usd: 'NaN' }) },
  { what: 'an amount below 0', reason: 'amount_out_of_range', value: changed({ amount_sold_raw: '-1' }) },
  {
    what: 'an amount of 2^120',
    reason: 'amount_out_of_range',
    value: changed({ amount_bought_raw: (2n ** 120n).toString() }),
  },
  { what: 'a volume of 10^18', reason: 'volume_out_of_range', value: changed({ volume_usd: '1E+18' }) },
  {
    what: 'an event before 2019',
    reason: 'event_time_out_of_range',
    value: changed({ event_time: firstOf2019 - 1 }),
  },
  {
    what: 'an event more than 600 s ahead of its record',
    reason: 'event_time_out_of_range',
    value: changed({ event_time: now + 601 }),
    timestampMs: now * 1_000,
  },
  { what: 'a revision below 0', reason: 'revision_out_of_range', value: changed({ revision: -1 }) },
  {
    what: 'a record from before 2019',
    reason: 'record_time_out_of_range',
    value: changed({ event_time: firstOf2019 }),
    timestampMs: firstOf2019 * 1_000 - 1,
  },
  {
    what: 'a value larger than 1 MiB',
    reason: 'too_large',
    value: changed({ query_id: 'x'.repeat(1024 * 1024) }),
  },
  {
    what: 'a trade older than the ledger keeps, less two days',
    reason: 'too_late',
    value: changed({ event_time: now - (retentionDays - 2) * 86_400 - 60 }),
  },
];

let input: Input;
let app: RunningApp;
let letters: FollowedRecord[];

/** Good neighbours around a message, in one request; resolves once everything up to them is committed. */
async function between(tx: string, bad: { value: Buffer | null; timestampMs?: number }): Promise<number> {
  const neighbour = (name: string) => {
    const fields = good(name);
    return { value: JSON.stringify(tradeMessage(fields)), timestampMs: now * 1_000, partition: 0 };
  };
  const acks = await input.producer.send(input.tradesTopic, [
    neighbour(`${tx} before`),
    {
      key: Buffer.from([0, 1, 255]),
      value: bad.value,
      headers: { origin: Buffer.from([0xff, 0x00]), trace: 'abc' },
      timestampMs: bad.timestampMs ?? now * 1_000,
      partition: 0,
    },
    neighbour(`${tx} after`),
  ]);
  const offset = Number(acks[0]?.baseOffset) + 1;
  await pollUntil(async () => (await input.committed()) >= offset + 2, { what: 'the commit', timeoutMs: 30_000 });
  return offset;
}

const neighboursOf = async (tx: string) => {
  const hashes = [hashOf(`${tx} before`), hashOf(`${tx} after`)];
  const legs = await legsOfTransactions(input.store, hashes);
  return hashes.map((hash) => legs.get(hash) ?? 0);
};

const letterOf = (offset: number) =>
  letters.filter(({ headers }) => headers['dlq-offset']?.toString() === String(offset));

beforeAll(async () => {
  input = await newInput({ env: { LEDGER_RETENTION_DAYS: String(retentionDays) } });
  letters = input.follow(input.deadLetterTopic);
  app = await startApp(input.env);
  // What is too late follows from T, so T has to be known.
  await pollUntil(async () => ((await inputStatus(input.store, input.tradesTopic))?.asOf ?? 0) > 0, {
    what: 'T',
    timeoutMs: 60_000,
  });
}, 600_000);
afterAll(async () => {
  await app?.close();
  await input?.close();
}, 300_000);

describe('a bad message', () => {
  it('has one case here for each reason of the feed’s contract', () => {
    expect(new Set(badMessages.map(({ reason }) => reason))).toEqual(new Set(faultReasons));
  });

  it.each(badMessages)(
    '($reason: $what) goes to the dead letters with its bytes, key and headers; its neighbours are stored',
    async ({ what, reason, value, timestampMs }) => {
      const offset = await between(what, { value, ...(timestampMs !== undefined && { timestampMs }) });
      // The commit comes last: letter and neighbours are there already.
      expect(await neighboursOf(what)).toEqual([1, 1]);
      const [letter, ...others] = await pollUntil(() => letterOf(offset).length > 0 && letterOf(offset), {
        what: 'the dead letter',
      });
      expect(others).toEqual([]);
      expect(letter?.value?.equals(value)).toBe(true);
      expect(letter?.key).toEqual(Buffer.from([0, 1, 255]));
      expect(letter?.headers['origin']).toEqual(Buffer.from([0xff, 0x00]));
      const texts = Object.fromEntries(
        Object.entries(letter?.headers ?? {}).map(([name, header]) => [name, header?.toString()]),
      );
      expect(texts).toMatchObject({
        trace: 'abc',
        'dlq-topic': input.tradesTopic,
        'dlq-partition': '0',
        'dlq-offset': String(offset),
        'dlq-timestamp': String(timestampMs ?? now * 1_000),
        'dlq-stage': 'validate',
        'dlq-reason': reason,
      });
      expect((await legsOfTransactions(input.store, [hashOf('bad')])).size).toBe(0);
    },
    300_000,
  );
});

describe('a message that is passed over', () => {
  it.each([
    { reason: 'tombstone', value: null },
    { reason: 'launch', value: changed({ event_type: 'launch', tx_hash: null, event_time: 'nonsense' }) },
    { reason: 'other_event_type', value: changed({ event_type: 'burn', amount_sold_raw: {} }) },
    { reason: 'null_token', value: changed({ token_sold_address: null }) },
  ])(
    '($reason) is counted, is no dead letter, and its neighbours are stored',
    async ({ reason, value }) => {
      const counted = () => app.metric('trade_messages_total', { outcome: 'skip', reason });
      const before = await counted();
      const offset = await between(reason, { value });
      expect(await neighboursOf(reason)).toEqual([1, 1]);
      expect(await counted()).toBe(before + 1);
      // A letter behind it shows that one for it would have come.
      const behind = await between(`${reason} behind`, { value: Buffer.from('bad') });
      await pollUntil(() => letterOf(behind).length > 0, { what: 'the dead letter behind' });
      expect(letterOf(offset)).toEqual([]);
    },
    300_000,
  );
});

describe('a trade of the last day that the ledger keeps', () => {
  it('is stored', async () => {
    const kept = { ...good('kept'), eventTime: now - (retentionDays - 2) * 86_400 + 3_600 };
    const value = Buffer.from(JSON.stringify(tradeMessage(kept)));
    await between('around the kept one', { value });
    expect((await legsOfTransactions(input.store, [hashOf('kept')])).get(hashOf('kept'))).toBe(1);
  }, 300_000);
});
