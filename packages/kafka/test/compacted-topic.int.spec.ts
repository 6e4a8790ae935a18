import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { followCompactedTopic } from '../src/index.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';
import { silent } from './support/silent.js';

let bench: KafkaBench;
beforeAll(async () => {
  bench = await openBench((await sharedKafka()).brokers);
}, 480_000);
afterAll(() => bench?.close());

const compacted = { configs: { 'cleanup.policy': 'compact' } };

const record = (key: string, value: string, partition: number) => ({ key, value, partition });

describe('followCompactedTopic', () => {
  it('gives what is there, says so, goes on with what comes, and leaves no group behind', async () => {
    const topic = await bench.newTopic(uniqueName('followed'), { ...compacted, partitions: 2 });
    await bench.producer.send(topic, [record('a', '1', 0), record('b', '1', 1), record('a', '2', 0)]);
    const seen: string[] = [];
    let seenWhenCaughtUp = -1;
    const follower = followCompactedTopic(bench.kafka, {
      topic,
      logger: silent,
      onRecord: ({ key, value }) => seen.push(`${String(key)}=${String(value)}`),
      onCaughtUp: () => {
        seenWhenCaughtUp = seen.length;
      },
    });
    await follower.caughtUp;
    expect(seenWhenCaughtUp).toBe(3);
    expect(seen.filter((entry) => entry.startsWith('a'))).toEqual(['a=1', 'a=2']);
    await bench.producer.send(topic, [record('b', '2', 1)]);
    await pollUntil(() => seen.at(-1) === 'b=2', { what: 'the new record' });
    await follower.stop();
    await bench.producer.send(topic, [record('b', '3', 1)]);
    const { groups } = await bench.admin.listGroups();
    expect(groups.filter(({ groupId }) => groupId.includes(topic))).toEqual([]);
    expect(seen).toHaveLength(4);
  }, 180_000);

  it('is caught up at once with an empty topic, also with one whose records were deleted', async () => {
    const topic = await bench.newTopic(uniqueName('empty'));
    await bench.producer.send(topic, [{ value: 'gone' }]);
    await bench.admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '1' }] });
    const seen: string[] = [];
    const follower = followCompactedTopic(bench.kafka, {
      topic,
      logger: silent,
      onRecord: ({ value }) => seen.push(String(value)),
    });
    await follower.caughtUp;
    expect(seen).toEqual([]);
    await follower.stop();
  }, 180_000);

  it('waits for a topic that does not exist yet', async () => {
    const topic = uniqueName('later');
    const seen: string[] = [];
    const follower = followCompactedTopic(bench.kafka, {
      topic,
      logger: silent,
      onRecord: ({ value }) => seen.push(String(value)),
    });
    await bench.newTopic(topic, compacted);
    await bench.producer.send(topic, [{ key: 'k', value: 'v' }]);
    await pollUntil(() => seen.length === 1, { what: 'the record', timeoutMs: 40_000 });
    await follower.stop();
    expect(seen).toEqual(['v']);
  }, 300_000);
});
