import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import kafkajs from 'kafkajs';
import { endOffsets, ensureTopics, groupLag, offsetsForTime, TopicMismatchError } from '../src/index.js';
import { startConsumer } from './support/consumer-app.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';

let bench: KafkaBench;
beforeAll(async () => {
  bench = await openBench((await sharedKafka()).brokers);
}, 480_000);
afterAll(() => bench?.close());

async function configsOf(topic: string): Promise<Record<string, string>> {
  const { resources } = await bench.admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }],
  });
  return Object.fromEntries((resources[0]?.configEntries ?? []).map((entry) => [entry.configName, entry.configValue]));
}

describe('ensureTopics', () => {
  const configs = {
    'retention.ms': '-1',
    'max.message.bytes': '2097152',
    'message.timestamp.type': 'LogAppendTime',
    'cleanup.policy': 'compact',
    'min.compaction.lag.ms': '1000',
    'segment.ms': '600000',
  };

  it('creates what is missing as specified and does nothing the second time', async () => {
    const spec = { name: uniqueName('ensured'), partitions: 3, replicationFactor: 1, configs };
    expect(await ensureTopics(bench.admin, [spec])).toEqual({ created: [spec.name], altered: [] });
    expect(await ensureTopics(bench.admin, [spec])).toEqual({ created: [], altered: [] });
    expect(await configsOf(spec.name)).toMatchObject(configs);
    expect(await endOffsets(bench.admin, spec.name)).toHaveLength(3);
  }, 180_000);

  it('does not fail when two processes create the same topic at once', async () => {
    const spec = { name: uniqueName('raced'), partitions: 1, configs };
    await Promise.all([1, 2, 3].map(() => ensureTopics(bench.admin, [spec])));
    expect(await endOffsets(bench.admin, spec.name)).toHaveLength(1);
  }, 180_000);

  it('brings the configs of an existing topic in line and keeps those set by others', async () => {
    const name = uniqueName('aligned');
    await ensureTopics(bench.admin, [
      { name, partitions: 1, configs: { 'retention.ms': '1000', 'segment.ms': '7777' } },
    ]);
    expect(await ensureTopics(bench.admin, [{ name, partitions: 1, configs: { 'retention.ms': '-1' } }])).toEqual({
      created: [],
      altered: [name],
    });
    expect(await configsOf(name)).toMatchObject({ 'retention.ms': '-1', 'segment.ms': '7777' });
  }, 180_000);

  it('refuses an existing topic with fewer partitions in one sentence and leaves it as it is', async () => {
    const name = uniqueName('fewer');
    await ensureTopics(bench.admin, [{ name, partitions: 1, configs: {} }]);
    const refused = ensureTopics(bench.admin, [{ name, partitions: 4, configs: {} }]);
    await expect(refused).rejects.toThrow(TopicMismatchError);
    await expect(refused).rejects.toThrow(`topic ${name} has 1 partitions and needs 4`);
    expect(await endOffsets(bench.admin, name)).toHaveLength(1);
  }, 180_000);
});

const at = (timestampMs: number) => ({ value: 'x', partition: 1, timestampMs });

describe('offsets', () => {
  it('gives both ends of each partition, the offset of an instant, and what a group has left to do', async () => {
    const topic = await bench.newTopic(uniqueName('ends'), { partitions: 2 });
    await bench.producer.send(topic, [at(1_000_000), at(2_000_000), at(3_000_000)]);
    await bench.admin.deleteTopicRecords({ topic, partitions: [{ partition: 1, offset: '1' }] });
    expect(await endOffsets(bench.admin, topic)).toEqual([
      { partition: 0, low: '0', high: '0' },
      { partition: 1, low: '1', high: '3' },
    ]);
    expect(await offsetsForTime(bench.admin, topic, 2_500_000)).toEqual([
      { partition: 0, offset: '0' },
      { partition: 1, offset: '2' },
    ]);
    const group = uniqueName('group');
    expect(await groupLag(bench.admin, group, topic)).toEqual([
      { partition: 0, lag: '0' },
      { partition: 1, lag: '2' },
    ]);
    let storeIsAway = false;
    const consumer = await startConsumer(
      bench.kafka,
      topic,
      group,
      () => {
        if (storeIsAway) throw new Error('store away');
        storeIsAway = true;
      },
      { sliceMessagesMax: 1 },
    );
    await pollUntil(() => consumer.server.positions()[1]?.nextOffset === '2', { what: 'the first slice' });
    expect(await groupLag(bench.admin, group, topic)).toEqual([
      { partition: 0, lag: '0' },
      { partition: 1, lag: '1' },
    ]);
    await consumer.close();
  }, 180_000);
});
