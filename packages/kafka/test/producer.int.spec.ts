import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { createProducer, type DeadLetter, DeadlineError, deadLetters } from '../src/index.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';
import { readAll } from './support/read-all.js';

let bench: KafkaBench;
beforeAll(async () => {
  bench = await openBench((await sharedKafka()).brokers);
}, 480_000);
afterAll(() => bench?.close());

const letter = (overrides: Partial<DeadLetter>): DeadLetter => ({
  topic: 'trades',
  partition: 3,
  offset: '9007199254740993',
  timestamp: 1_700_000_000_123,
  key: Buffer.from([0xff, 0x00]),
  value: Buffer.from([0xc3, 0x28]),
  headers: { trace: Buffer.from([1, 2]), many: [Buffer.from('a'), Buffer.from('b')] },
  stage: 'validate',
  reason: 'not_utf8',
  ...overrides,
});

describe('createProducer', () => {
  it('returns the broker’s append time on a topic with LogAppendTime, and none on others', async () => {
    const stamped = await bench.newTopic(uniqueName('stamped'), {
      configs: { 'message.timestamp.type': 'LogAppendTime' },
    });
    const plain = await bench.newTopic(uniqueName('plain'));
    const [first] = await bench.producer.send(stamped, [{ key: 'k', value: 'v', timestampMs: 1_000 }]);
    expect(first).toMatchObject({ partition: 0, baseOffset: '0' });
    const [record] = await readAll(bench.kafka, stamped);
    expect(first?.logAppendTimeMs).toBe(record?.timestamp);
    expect(first?.logAppendTimeMs).toBeGreaterThan(1_700_000_000_000);
    expect(await bench.producer.send(plain, [{ value: 'v' }])).toEqual([
      { partition: 0, baseOffset: '0', logAppendTimeMs: null },
    ]);
  }, 180_000);

  it('keeps the order of records over several requests', async () => {
    const topic = await bench.newTopic(uniqueName('runs'));
    const producer = createProducer(bench.kafka, { requestBytesMax: 1_000 });
    await producer.connect();
    const values = Array.from({ length: 50 }, (_, index) => `${index}-${'x'.repeat(200)}`);
    const acks = await producer.send(
      topic,
      values.map((value) => ({ value })),
    );
    await producer.disconnect();
    expect(acks.length).toBeGreaterThan(10);
    expect((await readAll(bench.kafka, topic)).map(({ value }) => String(value))).toEqual(values);
  }, 180_000);

  it('fails within its deadline when the topic does not exist', async () => {
    const producer = createProducer(bench.kafka, { sendTimeoutMs: 500 });
    await producer.connect();
    const startedAt = performance.now();
    const absent = uniqueName('absent');
    await expect(producer.send(absent, [{ value: 'v' }])).rejects.toThrow(DeadlineError);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await bench.newTopic(absent);
    await producer.disconnect();
  }, 180_000);
});

describe('deadLetters', () => {
  it('keeps the original bytes, key and headers and says where the record came from and why', async () => {
    const source = uniqueName('source');
    await bench.newTopic(`${source}.dlq`);
    await deadLetters(bench.producer).send([
      letter({ topic: source }),
      letter({ topic: source, value: null, key: null }),
    ]);
    const [first, second] = await readAll(bench.kafka, `${source}.dlq`);
    expect(first?.key).toEqual(Buffer.from([0xff, 0x00]));
    expect(first?.value).toEqual(Buffer.from([0xc3, 0x28]));
    expect(first?.headers).toEqual({
      trace: Buffer.from([1, 2]),
      many: [Buffer.from('a'), Buffer.from('b')],
      'dlq-topic': Buffer.from(source),
      'dlq-partition': Buffer.from('3'),
      'dlq-offset': Buffer.from('9007199254740993'),
      'dlq-timestamp': Buffer.from('1700000000123'),
      'dlq-stage': Buffer.from('validate'),
      'dlq-reason': Buffer.from('not_utf8'),
    });
    expect(second).toMatchObject({ key: null, value: null });
  }, 180_000);

  it('keeps the first 64 KiB, the length and the hash of a record the broker finds too large, and its neighbours whole', async () => {
    const source = uniqueName('source');
    await bench.newTopic(`${source}.dlq`, { configs: { 'max.message.bytes': String(100 * 1024) } });
    const large = Buffer.alloc(200 * 1024, 'abcdefg');
    await deadLetters(bench.producer).send([
      letter({ topic: source, offset: '1' }),
      letter({ topic: source, offset: '2', value: large, reason: 'too_large' }),
      letter({ topic: source, offset: '3' }),
    ]);
    const records = await readAll(bench.kafka, `${source}.dlq`);
    const cut = records.find(({ headers }) => String(headers['dlq-offset']) === '2');
    expect(cut?.value).toEqual(large.subarray(0, 64 * 1024));
    expect(cut?.headers).toMatchObject({
      trace: Buffer.from([1, 2]),
      truncated: Buffer.from('true'),
      length: Buffer.from(String(large.length)),
      sha256: Buffer.from(createHash('sha256').update(large).digest('hex')),
    });
    const whole = records.filter(({ headers }) => headers['truncated'] === undefined);
    expect(new Set(whole.map(({ headers }) => String(headers['dlq-offset'])))).toEqual(new Set(['1', '3']));
  }, 180_000);

  it('throws when the dead-letter topic is away', async () => {
    const producer = createProducer(bench.kafka, { sendTimeoutMs: 500 });
    await producer.connect();
    const absent = uniqueName('absent');
    await expect(deadLetters(producer).send([letter({ topic: absent })])).rejects.toThrow(`${absent}.dlq`);
    await bench.newTopic(`${absent}.dlq`);
    await producer.disconnect();
  }, 180_000);
});
