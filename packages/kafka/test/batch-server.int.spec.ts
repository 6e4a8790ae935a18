import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { type ConsumedBatch, FatalConsumerError } from '../src/index.js';
import { type ConsumerApp, startConsumer } from './support/consumer-app.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';

let bench: KafkaBench;
const open: ConsumerApp[] = [];
beforeAll(async () => {
  bench = await openBench((await sharedKafka()).brokers);
}, 120_000);
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
}, 30_000);
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

describe('KafkaBatchServer', () => {
  it('hands out every message once, in order, in slices, and commits after the last', async () => {
    const topic = await bench.newTopic(uniqueName('ordered'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(25));
    const batches: ConsumedBatch[] = [];
    const done: string[] = [];
    const { server } = await start(bench.kafka, topic, group, (batch) => void batches.push(batch), {
      sliceMessagesMax: 10,
      onBatchDone: ({ nextOffset }) => done.push(nextOffset),
    });
    await pollUntil(() => done.at(-1) === '25', { what: 'all to be done' });
    expect(texts(batches)).toEqual(numbered(25).map(({ value }) => value));
    expect(batches.map(({ messages }) => messages.length)).toEqual([10, 10, 5]);
    expect(batches[1]).toMatchObject({ firstOffset: '10', lastOffset: '19', highWatermark: '25', partition: 0 });
    expect(await bench.committed(group, topic)).toBe('25');
    expect(server.positions()).toEqual([{ topic, partition: 0, nextOffset: '25' }]);
    expect(server.ownedPartitions()).toEqual({ [topic]: [0] });
  }, 30_000);

  it('goes on at the committed offset after a restart', async () => {
    const topic = await bench.newTopic(uniqueName('restart'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(3));
    const first = await start(bench.kafka, topic, group, () => undefined);
    await pollUntil(async () => (await bench.committed(group, topic)) === '3', { what: 'the commit' });
    await first.close();
    await bench.producer.send(topic, numbered(2, 3));
    const batches: ConsumedBatch[] = [];
    let assignedAt: unknown;
    const second = await start(bench.kafka, topic, group, (batch) => void batches.push(batch), {
      onAssigned: () => {
        assignedAt = second?.server.positions();
      },
    });
    await pollUntil(() => texts(batches).length === 2, { what: 'the rest' });
    expect(texts(batches)).toEqual(['m3', 'm4']);
    expect(assignedAt).toEqual([{ topic, partition: 0, nextOffset: '3' }]);
  }, 30_000);

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
  }, 30_000);

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
    30_000,
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

  it('finishes and commits the batch in hand when it is closed', async () => {
    const topic = await bench.newTopic(uniqueName('close'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(30));
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const app = await start(
      bench.kafka,
      topic,
      group,
      async () => {
        entered.resolve();
        await release.promise;
      },
      { sliceMessagesMax: 10 },
    );
    await entered.promise;
    const closed = app.close();
    release.resolve();
    await closed;
    expect(await bench.committed(group, topic)).toBe('10');
  }, 30_000);

  it('drops a batch that does not end, and closes within its bound', async () => {
    const topic = await bench.newTopic(uniqueName('drop'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(1));
    const entered = Promise.withResolvers<ConsumedBatch>();
    const app = await start(
      bench.kafka,
      topic,
      group,
      async (batch) => {
        entered.resolve(batch);
        await new Promise((_resolve, reject) => {
          batch.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        });
      },
      { closeTimeoutMs: 2_000 },
    );
    const batch = await entered.promise;
    const startedAt = performance.now();
    await app.close();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(batch.generation.isCurrent()).toBe(false);
    expect(await bench.committed(group, topic)).toBe('-1');
  }, 30_000);

  it('counts an idle loop as progress', async () => {
    const topic = await bench.newTopic(uniqueName('idle'));
    const { server } = await start(bench.kafka, topic, uniqueName('group'), () => undefined);
    const before = server.lastProgressAt();
    const after = await pollUntil(() => server.lastProgressAt() > before && server.lastProgressAt(), {
      what: 'progress',
    });
    expect(after).toBeGreaterThan(before);
  }, 30_000);
});
