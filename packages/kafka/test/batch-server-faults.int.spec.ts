import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventPattern } from '@nestjs/microservices';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { type ConsumedBatch, FatalConsumerError } from '../src/index.js';
import { type ConsumerApp, startConsumer } from './support/consumer-app.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';

let bench: KafkaBench;
const open: ConsumerApp[] = [];
beforeAll(async () => {
  bench = await openBench((await sharedKafka()).brokers);
}, 480_000);
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
}, 180_000);
afterAll(() => bench?.close());

const start = async (...args: Parameters<typeof startConsumer>): Promise<ConsumerApp> => {
  const app = await startConsumer(...args);
  open.push(app);
  return app;
};
const texts = (batches: readonly ConsumedBatch[]): string[] =>
  batches.flatMap(({ messages }) => messages.map(({ value }) => String(value)));
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ value: `m${from + index}`, partition: 0 }));

const fail = (): never => {
  throw new FatalConsumerError('lost on the way');
};

describe('KafkaBatchServer when something fails', () => {
  it('tries a failing batch again, neither skipping nor committing, and keeps its place in the group', async () => {
    const topic = await bench.newTopic(uniqueName('retry'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(4));
    let storeIsAway = true;
    let attempts = 0;
    const tokens = new Set<number>();
    const stored: string[] = [];
    const { server } = await start(bench.kafka, topic, group, (batch) => {
      attempts += 1;
      tokens.add(batch.generation.generationId);
      if (storeIsAway) throw new Error('store away');
      stored.push(...texts([batch]));
    });
    await pollUntil(() => attempts >= 4, { what: 'several attempts' });
    expect(await bench.committed(group, topic)).toBe('-1');
    expect(server.positions()).toEqual([{ topic, partition: 0, nextOffset: '0' }]);
    storeIsAway = false;
    await pollUntil(async () => (await bench.committed(group, topic)) === '4', { what: 'the commit' });
    expect(stored).toEqual(['m0', 'm1', 'm2', 'm3']);
    expect(tokens.size).toBe(1);
  }, 180_000);

  it('goes on with other partitions while one waits for its store', async () => {
    const topic = await bench.newTopic(uniqueName('aside'), { partitions: 2 });
    const group = uniqueName('group');
    await bench.producer.send(topic, [{ value: 'stuck', partition: 0 }]);
    let storeIsAway = true;
    let failed = 0;
    const stored: string[] = [];
    await start(bench.kafka, topic, group, (batch) => {
      if (batch.partition === 0 && storeIsAway) {
        failed += 1;
        throw new Error('store away');
      }
      stored.push(...texts([batch]));
    });
    await pollUntil(() => failed >= 2, { what: 'the first attempts' });
    for (const value of ['one', 'two', 'three']) {
      await bench.producer.send(topic, [{ value, partition: 1 }]);
      await pollUntil(() => stored.includes(value), { what: `the message ${value}` });
    }
    storeIsAway = false;
    await pollUntil(() => stored.includes('stuck'), { what: 'the message that was stuck', timeoutMs: 30_000 });
    expect(stored).toEqual(['one', 'two', 'three', 'stuck']);
  }, 300_000);

  it('stays in the group while a handler takes longer than the session lasts', async () => {
    const topic = await bench.newTopic(uniqueName('slow'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(1));
    let calls = 0;
    const release = Promise.withResolvers<void>();
    const startedAt = performance.now();
    await start(
      bench.kafka,
      topic,
      group,
      async (batch) => {
        calls += 1;
        await release.promise;
        batch.generation.assertCurrent();
      },
      { sessionTimeoutMs: 6_000 },
    );
    await pollUntil(() => calls === 1 && performance.now() - startedAt > 8_000, {
      what: 'the session',
      timeoutMs: 20_000,
    });
    release.resolve();
    await pollUntil(async () => (await bench.committed(group, topic)) === '1', { what: 'the commit' });
    expect(calls).toBe(1);
  }, 40_000);

  it.each([
    ['a FatalConsumerError', () => new FatalConsumerError('the dead-letter topic is away')],
    ['an error of programming', () => new TypeError('undefined is not a function')],
  ])(
    'stops, committing nothing, and calls onCrash once on %s',
    async (_name, makeError) => {
      const topic = await bench.newTopic(uniqueName('fatal'));
      const group = uniqueName('group');
      await bench.producer.send(topic, numbered(2));
      let calls = 0;
      const { crashes, server } = await start(bench.kafka, topic, group, () => {
        calls += 1;
        throw makeError();
      });
      await pollUntil(() => crashes.length > 0, { what: 'onCrash' });
      expect(crashes[0]?.message).toContain(makeError().message);
      await pollUntil(async () => (await bench.admin.describeGroups([group])).groups[0]?.members.length === 0, {
        what: 'the group to be left',
      });
      expect([calls, crashes.length]).toEqual([1, 1]);
      expect(server.ownedPartitions()).toEqual({});
      expect(await bench.committed(group, topic)).toBe('-1');
    },
    180_000,
  );

  it('names a gap of offsets that are gone and goes on behind it', async () => {
    const topic = await bench.newTopic(uniqueName('gap'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(3));
    const first = await start(bench.kafka, topic, group, () => undefined);
    await pollUntil(async () => (await bench.committed(group, topic)) === '3', { what: 'the commit' });
    await first.close();
    await bench.producer.send(topic, numbered(7, 3));
    await bench.admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '8' }] });
    const batches: ConsumedBatch[] = [];
    const { gaps } = await start(bench.kafka, topic, group, (batch) => void batches.push(batch));
    await pollUntil(async () => (await bench.committed(group, topic)) === '10', {
      what: 'the rest',
      timeoutMs: 20_000,
    });
    expect(gaps).toEqual([{ topic, partition: 0, from: '3', to: '8', rewound: false }]);
    expect(texts(batches)).toEqual(['m8', 'm9']);
  }, 40_000);

  it('names a log that was cut below what was consumed, and starts over with it', async () => {
    const topic = await bench.newTopic(uniqueName('cut'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(5));
    const first = await start(bench.kafka, topic, group, () => undefined);
    await pollUntil(async () => (await bench.committed(group, topic)) === '5', { what: 'the commit' });
    await first.close();
    // Not deleted and made again: that would take the group's offsets along.
    const shorter = await bench.newTopic(uniqueName('shorter'));
    await bench.producer.send(shorter, numbered(2, 10));
    const batches: ConsumedBatch[] = [];
    await bench.admin.setOffsets({ groupId: group, topic: shorter, partitions: [{ partition: 0, offset: '5' }] });
    const { gaps } = await start(bench.kafka, shorter, group, (batch) => void batches.push(batch));
    await pollUntil(async () => (await bench.committed(group, shorter)) === '2', { what: 'the commit' });
    expect(gaps).toEqual([{ topic: shorter, partition: 0, from: '5', to: '0', rewound: true }]);
    expect(texts(batches)).toEqual(['m10', 'm11']);
  }, 40_000);

  it('stops rather than retry when a handler’s error was hidden by Nest’s own filter', async () => {
    const topic = await bench.newTopic(uniqueName('hidden'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(1));
    const { crashes } = await start(bench.kafka, topic, group, fail, {}, (pattern) => EventPattern(pattern));
    await pollUntil(() => crashes.length > 0, { what: 'onCrash' });
    expect(crashes[0]?.message).toContain('declare it with @ConsumesTopic');
    expect(await bench.committed(group, topic)).toBe('-1');
  }, 180_000);

  it('does not start, and says which topic is missing, where its topic does not exist', async () => {
    const topic = uniqueName('absent');
    await expect(start(bench.kafka, topic, uniqueName('group'), () => undefined)).rejects.toThrow(topic);
  }, 300_000);
});
