import { describe, expect, it } from '@jest/globals';
import { deadLetterTopicOf } from '@jetton-analytics/common';
import { type DeadLetter, deadLetters } from '@jetton-analytics/kafka';
import { DeadLetterRedrive, OperatorChange } from '@jetton-analytics/postgres';
import { uniqueName } from '@jetton-analytics/testing';
import { readAll } from '../../../packages/kafka/test/support/read-all.js';
import { kafkaAndDatabase } from './kafka-and-database.js';
import { admin, adminHere, report } from './run-command.js';

const stores = kafkaAndDatabase();

const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x7b]);
const recordMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const letterOf = (topic: string, offset: number, more: Partial<DeadLetter> = {}): DeadLetter => ({
  topic,
  partition: offset % 2,
  offset: String(offset),
  timestamp: recordMs + offset,
  key: null,
  value: Buffer.from(`bad ${offset}`),
  headers: { origin: 'spec' },
  stage: 'parse',
  reason: 'not_json',
  detail: 'no JSON',
  ...more,
});

/** A topic of two partitions with six letters, two of which lie there twice, and one that cannot be put back. */
async function newLetters() {
  const topic = await stores.bench.newTopic(uniqueName('feed'), { partitions: 2 });
  await stores.bench.newTopic(deadLetterTopicOf(topic));
  const letters = deadLetters(stores.bench.producer);
  await letters.send([0, 1, 2, 3].map((offset) => letterOf(topic, offset)));
  await letters.send([
    letterOf(topic, 2),
    letterOf(topic, 3),
    letterOf(topic, 4, { value: bytes, key: Buffer.from('k'), reason: 'not_utf8' }),
    letterOf(topic, 5, { value: null, reason: 'undecodable_batch' }),
  ]);
  const env = { ...stores.database.env, KAFKA_BROKERS: stores.brokers, DEX_TRADES_TOPIC: topic };
  const records = async () =>
    (await readAll(stores.bench.kafka, topic)).sort(
      (a, b) => a.partition - b.partition || Number(a.offset) - Number(b.offset),
    );
  return { topic, env, records };
}

describe('dlq list and show', () => {
  it('count a place once, however often its letter was written', async () => {
    const { topic, env } = await newLetters();
    const { topics } = (await report(['dlq', 'list'], env)) as { topics: { topic: string }[] };
    expect(topics).toHaveLength(4);
    expect(topics[0]).toMatchObject({
      topic,
      letters: 6,
      records: 8,
      redriven: 0,
      newest: new Date(recordMs + 5).toISOString(),
      reasons: { not_json: 4, not_utf8: 1, undecodable_batch: 1 },
    });
    expect(topics[1]).toMatchObject({ exists: false, letters: 0 });
    const text = await admin(['dlq', 'list'], env);
    expect([text.code, text.out]).toEqual([0, expect.stringMatching(new RegExp(`^${topic} +6 +2 +0 +2026`, 'm'))]);
  }, 300_000);

  it('show bytes, headers and why, by reason and by place', async () => {
    const { topic, env } = await newLetters();
    expect(await report(['dlq', 'show', topic, '--reason', 'not_utf8'], env)).toMatchObject({
      letters: 1,
      shown: [
        {
          partition: 0,
          offset: '4',
          key: { text: 'k' },
          value: { base64: bytes.toString('base64') },
          headers: { origin: 'spec' },
          redriven: null,
        },
      ],
    });
    const one = ['dlq', 'show', topic, '--partition', '1', '--offset', '3'];
    expect(await report(one, env)).toMatchObject({ letters: 1, shown: [{ offset: '3', value: { text: 'bad 3' } }] });
    expect(await report(['dlq', 'show', topic, '--limit', '2'], env)).toMatchObject({
      letters: 6,
      shown: [{ offset: '4' }, { offset: '5', hindrance: 'its bytes are not here' }],
    });
    expect((await adminHere(['dlq', 'show', 'no_such_topic'], env)).code).toBe(3);
  }, 300_000);
});

describe('dlq redrive', () => {
  it('dry: says what it would put back, and puts nothing back', async () => {
    const { topic, env, records } = await newLetters();
    expect(await report(['dlq', 'redrive', topic, '--dry-run'], env)).toMatchObject({ redriven: 5, cannot: 1 });
    expect(await records()).toEqual([]);
    expect(await stores.database.database.manager.countBy(DeadLetterRedrive, { topic })).toBe(0);
  }, 300_000);

  it('puts the original bytes back where they came from, once, however often it is called', async () => {
    const { topic, env, records } = await newLetters();
    const first = await admin(['dlq', 'redrive', topic, '--reason', 'not_utf8', '--by', 'ann', '--json'], env);
    expect([first.code, first.json()]).toMatchObject([0, { letters: 1, redriven: 1, already: 0, by: 'ann' }]);
    expect(await report(['dlq', 'redrive', topic], env)).toMatchObject({ redriven: 4, already: 1, cannot: 1 });
    const found = await records();
    expect(found.map(({ partition, value }) => [partition, value?.toString('latin1')])).toEqual([
      [0, bytes.toString('latin1')],
      [0, 'bad 0'],
      [0, 'bad 2'],
      [1, 'bad 1'],
      [1, 'bad 3'],
    ]);
    const [record] = found;
    expect([record?.timestamp, record?.key?.toString()]).toEqual([recordMs + 4, 'k']);
    const headers = Object.entries(record?.headers ?? {}).map(([name, value]) => [name, String(value)]);
    expect(Object.fromEntries(headers)).toEqual({ origin: 'spec', 'redriven-from': `${topic}/0/4` });

    expect(await report(['dlq', 'redrive', topic], env)).toMatchObject({ redriven: 0, already: 5 });
    expect(await records()).toHaveLength(5);
    expect(await report(['dlq', 'list'], env)).toMatchObject({ topics: [{ redriven: 5 }, {}, {}, {}] });
    const journal = await stores.database.database.manager.find(OperatorChange, { order: { id: 'ASC' } });
    const mine = journal.filter(({ details }) => (details as { topic?: string }).topic === topic);
    expect(mine).toMatchObject([
      { command: 'dlq redrive', setBy: 'ann', outcome: 'done', result: { redriven: 1 } },
      { outcome: 'done', result: { redriven: 4, already: 1 } },
    ]);
  }, 300_000);

  it('after a kill puts back only what did not arrive', async () => {
    const { topic, env, records } = await newLetters();
    // As a run leaves it that is killed after sending offset 0 and before sending offset 2.
    await stores.bench.producer.send(topic, [{ value: 'earlier', partition: 0 }]);
    await stores.bench.producer.send(topic, [
      { value: 'bad 0', partition: 0, headers: { 'redriven-from': `${topic}/0/0` } },
    ]);
    const sending = { topic, partition: 0, state: 'sending' as const, lookedFrom: { '0': '1', '1': '0' } };
    const noted = { ...sending, setBy: 'killed', setAt: new Date(recordMs) };
    await stores.database.database.manager.insert(DeadLetterRedrive, [
      { ...noted, offset: '0' },
      { ...noted, offset: '2' },
    ]);
    expect(await report(['dlq', 'redrive', topic, '--reason', 'not_json'], env)).toMatchObject({
      redriven: 3,
      found: 1,
      already: 0,
    });
    const values = (await records()).map(({ value }) => value?.toString() ?? '').sort((a, b) => (a < b ? -1 : 1));
    expect(values).toEqual(['bad 0', 'bad 1', 'bad 2', 'bad 3', 'earlier']);
  }, 300_000);

  it('leaves what came again where it is, unless it is asked for', async () => {
    const { topic, env, records } = await newLetters();
    const again = letterOf(topic, 9, { headers: { 'redriven-from': `${topic}/1/1` } });
    await deadLetters(stores.bench.producer).send([again]);
    expect(await report(['dlq', 'redrive', topic], env)).toMatchObject({ redriven: 5, returned: 1 });
    expect(await report(['dlq', 'redrive', topic], env)).toMatchObject({ redriven: 0, returned: 1 });
    expect(await report(['dlq', 'redrive', topic, '--returned'], env)).toMatchObject({ redriven: 1, returned: 0 });
    expect(await records()).toHaveLength(6);
  }, 300_000);

  it('two at once put nothing back twice', async () => {
    const { topic, env, records } = await newLetters();
    const ended = await Promise.all([1, 2, 3].map(() => admin(['dlq', 'redrive', topic, '--json'], env)));
    expect(ended.every(({ code }) => code === 0 || code === 3)).toBe(true);
    await report(['dlq', 'redrive', topic], env);
    expect(await records()).toHaveLength(5);
  }, 300_000);

  it('with another record time where the original one is what was wrong', async () => {
    const { topic, env, records } = await newLetters();
    await report(['dlq', 'redrive', topic, '--partition', '1', '--stamp', 'now'], env);
    const times = (await records()).map(({ timestamp }) => timestamp);
    expect(times).toHaveLength(2);
    expect(Math.min(...times)).toBeGreaterThan(recordMs + 1_000_000);
  }, 300_000);
});
