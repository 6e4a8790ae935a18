import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import kafkajs from 'kafkajs';
import { commitForEmptyGroup, UndecodableBatchError, undecodableBatchAt } from '../src/index.js';
import { crc32c } from '../src/crc32c.js';
import { batchLayout } from '../src/record-batches.js';
import { type ConsumerApp, startConsumer } from './support/consumer-app.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';

let bench: KafkaBench;
const running: ConsumerApp[] = [];
beforeAll(async () => {
  bench = await openBench((await sharedKafka()).brokers);
}, 480_000);
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
}, 180_000);
afterAll(() => bench?.close());

/** Changes the second record batch of partition 0 where the broker keeps it. */
async function tamper(topic: string, change: (batch: Buffer) => void): Promise<void> {
  const { resources } = await bench.admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.BROKER, name: '1' }],
  });
  const folder = resources[0]?.configEntries.find(({ configName }) => configName === 'log.dirs')?.configValue ?? '';
  const file = await open(join(folder, `${topic}-0`, '00000000000000000000.log'), 'r+');
  try {
    const log = await file.readFile();
    const start = 12 + log.readInt32BE(batchLayout.length);
    const batch = log.subarray(start, start + 12 + log.readInt32BE(start + batchLayout.length));
    change(batch);
    await file.write(batch, 0, batch.length, start);
  } finally {
    await file.close();
  }
}

const withRightChecksum = (change: (batch: Buffer) => void) => (batch: Buffer) => {
  change(batch);
  batch.writeUInt32BE(crc32c(batch, batchLayout.checkedFrom), batchLayout.checksum);
};

describe('a batch on the broker that cannot be decoded', () => {
  it.each([
    [
      'a flipped bit',
      'its checksum is',
      (batch: Buffer) => batch.writeUInt8((batch.at(-3) ?? 0) ^ 1, batch.length - 3),
    ],
    [
      'an unknown codec',
      'its codec 7 is not known',
      withRightChecksum((batch) => batch.writeInt16BE(7, batchLayout.attributes)),
    ],
    [
      'content that its codec cannot unpack',
      'a gzip batch cannot be unpacked',
      withRightChecksum((batch) => batch.writeInt16BE(1, batchLayout.attributes)),
    ],
  ])(
    'stops the consumer with topic, partition and offset: %s',
    async (_name, reason, change) => {
      const topic = await bench.newTopic(uniqueName('broken'));
      const group = uniqueName('group');
      await bench.producer.send(topic, [{ value: 'good' }, { value: 'too' }]);
      await bench.producer.send(topic, [{ value: 'x'.repeat(100) }]);
      await tamper(topic, change);
      const consumed: string[] = [];
      const app = await startConsumer(bench.kafka, topic, group, ({ messages }) => {
        consumed.push(...messages.map(({ offset }) => offset));
      });
      running.push(app);
      await pollUntil(() => app.crashes.length > 0, { what: 'the crash' });
      expect(app.crashes[0]?.message).toContain(
        `the batch at offset 2 of ${topic}, partition 0, cannot be decoded: ${reason}`,
      );
      expect(app.crashes[0]).toBeInstanceOf(UndecodableBatchError);
      expect(app.crashes).toHaveLength(1);
      // One answer brought the good batch and the broken one.
      expect(consumed).toEqual(['0', '1']);
      expect(await bench.committed(group, topic)).toBe('2');
    },
    180_000,
  );

  it('is found by an operator without a group, at any of its offsets; a good one is not', async () => {
    const topic = await bench.newTopic(uniqueName('broken'));
    await bench.producer.send(topic, [{ value: 'good' }, { value: 'too' }]);
    await bench.producer.send(topic, [{ value: 'x' }, { value: 'y' }, { value: 'z'.repeat(100), timestampMs: 5 }]);
    await bench.producer.send(topic, [{ value: 'good again' }]);
    await tamper(topic, (batch) => batch.writeUInt8((batch.at(-3) ?? 0) ^ 1, batch.length - 3));
    const at = (offset: string) => undecodableBatchAt(bench.kafka, { topic, partition: 0, offset });
    for (const offset of ['2', '3', '4']) {
      expect(await at(offset)).toMatchObject({ offset: '2', extent: { lastOffset: '4' } });
    }
    for (const offset of ['0', '1', '5']) expect(await at(offset)).toBeUndefined();
  }, 180_000);
});

describe('an offset moved from outside of a group', () => {
  it('is committed while the group has no member, and refused as soon as it has one', async () => {
    const topic = await bench.newTopic(uniqueName('moved'));
    const group = uniqueName('group');
    await bench.producer.send(topic, [{ value: 'a' }, { value: 'b' }, { value: 'c' }]);
    await commitForEmptyGroup(bench.kafka, group, { topic, partition: 0, offset: '2' });
    expect(await bench.committed(group, topic)).toBe('2');
    const consumed: string[] = [];
    const app = await startConsumer(bench.kafka, topic, group, ({ messages }) => {
      consumed.push(...messages.map(({ offset }) => offset));
    });
    running.push(app);
    await pollUntil(() => consumed.length > 0, { what: 'the record at the moved offset' });
    expect(consumed).toEqual(['2']);
    await expect(commitForEmptyGroup(bench.kafka, group, { topic, partition: 0, offset: '0' })).rejects.toMatchObject({
      type: 'UNKNOWN_MEMBER_ID',
    });
  }, 180_000);
});
