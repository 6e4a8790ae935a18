import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { endOffsets, readRecords } from '../src/index.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';

let bench: KafkaBench;
beforeAll(async () => {
  const { brokers } = await sharedKafka();
  bench = await openBench(brokers);
}, 480_000);
afterAll(() => bench?.close());

async function readAllOf(topic: string, from: string, to: string): Promise<string[]> {
  const values: string[] = [];
  for (let next = from; next !== to;) {
    const read = await readRecords(bench.kafka, { topic, partition: 0, from: next, to });
    values.push(...read.records.map(({ offset, value }) => `${offset} ${value?.toString()}`));
    next = read.nextOffset;
  }
  return values;
}

describe('readRecords', () => {
  it('gives exactly the records of the range, once, over any number of calls', async () => {
    const topic = await bench.newTopic(uniqueName('read'));
    const count = 45_000;
    for (let start = 0; start < count; start += 5_000) {
      await bench.producer.send(
        topic,
        Array.from({ length: 5_000 }, (_, n) => ({ value: `v${start + n}` })),
      );
    }
    const values = await readAllOf(topic, '3', String(count - 2));
    expect(values).toHaveLength(count - 5);
    expect(values.every((value, index) => value === `${index + 3} v${index + 3}`)).toBe(true);
    expect(await readAllOf(topic, '7', '7')).toEqual([]);
  }, 300_000);

  it('goes on over what compaction has taken', async () => {
    const topic = await bench.newTopic(uniqueName('compacted'), {
      configs: {
        'cleanup.policy': 'compact',
        'segment.ms': '100',
        'min.cleanable.dirty.ratio': '0.01',
        'min.compaction.lag.ms': '0',
      },
    });
    for (let n = 0; n < 20; n += 1)
      await bench.producer.send(topic, [
        { key: 'a', value: `${n}` },
        { key: 'b', value: `${n}` },
      ]);
    const [end] = await endOffsets(bench.admin, topic);
    const values = await readAllOf(topic, '0', end?.high ?? '0');
    // Whether the cleaner has been here or not: the last of each key is there.
    expect(values.slice(-2)).toEqual(['38 19', '39 19']);
  }, 300_000);
});
