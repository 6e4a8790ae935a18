import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deadLetterTopicOf } from '@jetton-analytics/common';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { type ConsumerApp, startConsumer } from '../../../packages/kafka/test/support/consumer-app.js';
import { type KafkaBench, openBench } from '../../../packages/kafka/test/support/kafka-bench.js';
import { readAll } from '../../../packages/kafka/test/support/read-all.js';
import { breakBatch } from './broken-log.js';
import { admin, adminHere } from './run-command.js';

let bench: KafkaBench;
let brokers: string;
const running: ConsumerApp[] = [];
beforeAll(async () => {
  const shared = await sharedKafka();
  brokers = shared.brokers.join(',');
  bench = await openBench(shared.brokers);
}, 480_000);
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
}, 180_000);
afterAll(() => bench?.close());

/** A topic that holds offsets 0 and 1, a batch of 2, 3 and 4 that cannot be decoded, and 5; and a group at its start. */
async function brokenTopic() {
  const topic = await bench.newTopic(uniqueName('broken'));
  await bench.newTopic(deadLetterTopicOf(topic));
  await bench.producer.send(topic, [{ value: 'a' }, { value: 'b' }]);
  await bench.producer.send(topic, [{ value: 'c', timestampMs: 1_700_000_000_000 }, { value: 'd' }, { value: 'e' }]);
  await bench.producer.send(topic, [{ value: 'f' }]);
  await breakBatch(bench.admin, topic, 1);
  const group = uniqueName('group');
  const env = { KAFKA_BROKERS: brokers, SOURCE_KAFKA_GROUP_ID: group };
  return { topic, group, env, letters: () => readAll(bench.kafka, deadLetterTopicOf(topic)) };
}

/** Consumes until the consumer crashes, or until `offsets` have come. */
async function consume(topic: string, group: string, until: { crash: true } | { offsets: number }): Promise<string[]> {
  const consumed: string[] = [];
  const app = await startConsumer(bench.kafka, topic, group, ({ messages }) => {
    consumed.push(...messages.map(({ offset }) => offset));
  });
  running.push(app);
  const isDone = () => ('crash' in until ? app.crashes.length > 0 : consumed.length >= until.offsets);
  await pollUntil(isDone, { what: 'the consumer', timeoutMs: 20_000 });
  await app.close();
  return consumed;
}

describe('offsets skip', () => {
  it('takes a stopped consumer over a batch that cannot be decoded, and leaves a letter without a value', async () => {
    const { topic, group, env, letters } = await brokenTopic();
    expect(await consume(topic, group, { crash: true })).toEqual(['0', '1']);
    expect(await bench.committed(group, topic)).toBe('2');

    const dry = await admin(['offsets', 'skip', topic, '0', '2', '--dry-run', '--json'], env);
    expect([dry.code, dry.err]).toEqual([0, '']);
    expect(dry.json()).toMatchObject({ skipped: false, dryRun: true, nextOffset: '5' });
    expect([await bench.committed(group, topic), await letters()]).toEqual(['2', []]);

    // Any offset of the batch names it.
    const done = await admin(['offsets', 'skip', topic, '0', '3', '--by', 'ann', '--json'], env);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(done.json()).toMatchObject({
      topic,
      partition: 0,
      groupId: group,
      batch: { firstOffset: '2', lastOffset: '4', reason: expect.stringContaining('its checksum is') },
      committed: { before: '2', after: '5' },
      deadLetterTopic: `${topic}.dlq`,
      skipped: true,
      by: 'ann',
    });
    const [letter, ...more] = await letters();
    expect(more).toEqual([]);
    expect([letter?.key, letter?.value]).toEqual([null, null]);
    const headers = Object.entries(letter?.headers ?? {}).map(([name, value]) => [name, String(value)]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'dlq-topic': topic,
      'dlq-partition': '0',
      'dlq-offset': '2',
      'dlq-last-offset': '4',
      'dlq-timestamp': '1700000000000',
      'dlq-stage': 'fetch',
      'dlq-reason': 'undecodable_batch',
      'dlq-detail': expect.stringContaining('its checksum is'),
      'dlq-skipped-by': 'ann',
      'dlq-skipped-at': expect.stringMatching(/^\d{4}-/),
    });

    expect(await consume(topic, group, { offsets: 1 })).toEqual(['5']);
    // Again it finds nothing to do.
    const again = await adminHere(['offsets', 'skip', topic, '0', '2', '--json'], env);
    expect([again.code, again.json()]).toMatchObject([0, { skipped: false, committed: { before: '6', after: '6' } }]);
    expect(await letters()).toHaveLength(1);
  }, 480_000);

  it('never skips records that can be read', async () => {
    const { topic, env, letters } = await brokenTopic();
    const refused = async (offset: string) => {
      const { code, err } = await adminHere(['offsets', 'skip', topic, '0', offset], env);
      return [code, err];
    };
    expect(await refused('0')).toEqual([3, expect.stringContaining('can be read: there is nothing to skip')]);
    expect(await refused('5')).toEqual([3, expect.stringContaining('can be read: there is nothing to skip')]);
    // The group has consumed nothing yet.
    expect(await refused('2')).toEqual([
      3,
      expect.stringContaining('2 records before the batch at 2 are not consumed'),
    ]);
    expect(await refused('6')).toEqual([3, expect.stringContaining('is not in the log, which holds 0 to 6')]);
    expect(await letters()).toEqual([]);
  }, 300_000);

  it('does not touch a group that is live', async () => {
    const { topic, group, env, letters } = await brokenTopic();
    await consume(topic, group, { crash: true });
    const other = await bench.newTopic(uniqueName('other'));
    running.push(await startConsumer(bench.kafka, other, group, () => undefined));
    const isLive = async () => (await bench.admin.describeGroups([group])).groups[0]?.state === 'Stable';
    await pollUntil(isLive, { what: 'the group to be live' });
    const { code, err } = await adminHere(['offsets', 'skip', topic, '0', '2', '--wait', '1'], env);
    expect(code).toBe(3);
    expect(err).toContain(`the group ${group} is live (Stable)`);
    expect(err).toContain('spec at ');
    expect([await bench.committed(group, topic), await letters()]).toEqual(['2', []]);
  }, 300_000);

  it('waits for the group to be empty, as long as it is told to', async () => {
    const { topic, group, env } = await brokenTopic();
    await consume(topic, group, { crash: true });
    const other = await bench.newTopic(uniqueName('other'));
    const app = await startConsumer(bench.kafka, other, group, () => undefined);
    const isLive = async () => (await bench.admin.describeGroups([group])).groups[0]?.state === 'Stable';
    await pollUntil(isLive, { what: 'the group to be live' });
    const skipping = adminHere(['offsets', 'skip', topic, '0', '2', '--wait', '60', '--json'], env);
    await app.close();
    expect(await skipping).toMatchObject({ code: 0 });
    expect(await bench.committed(group, topic)).toBe('5');
  }, 300_000);

  it('moves nothing when the dead-letter topic is away', async () => {
    const { topic, group, env } = await brokenTopic();
    await consume(topic, group, { crash: true });
    await bench.admin.deleteTopics({ topics: [deadLetterTopicOf(topic)] });
    expect((await adminHere(['offsets', 'skip', topic, '0', '2'], env)).code).not.toBe(0);
    expect(await bench.committed(group, topic)).toBe('2');
  }, 300_000);

  it('names a topic, a partition or a number that is none', async () => {
    const { topic, env } = await brokenTopic();
    const ended = async (...args: string[]) => {
      const { code, err } = await adminHere(['offsets', 'skip', ...args], env);
      return [code, err.trim()];
    };
    expect(await ended('no_such_topic', '0', '2')).toEqual([3, 'refused: there is no topic no_such_topic']);
    expect(await ended(topic, '7', '2')).toEqual([3, `refused: ${topic} has no partition 7`]);
    expect(await ended(topic, '0', '-2')).toEqual([2, expect.stringContaining('offset: expected a whole number')]);
    expect(await ended(topic, 'x', '2')).toEqual([2, expect.stringContaining('partition: expected a whole number')]);
  }, 300_000);

  it('says that the brokers are away with an exit code of its own', async () => {
    const env = { KAFKA_BROKERS: '127.0.0.1:1' };
    const { code, err } = await admin(['offsets', 'skip', 'trades', '0', '2', '--timeout', '3', '--json'], env);
    expect([code, JSON.parse(err)]).toMatchObject([4, { error: 'unavailable' }]);
  }, 300_000);
});
