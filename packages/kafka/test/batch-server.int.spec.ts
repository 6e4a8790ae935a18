import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import type { ConsumedBatch } from '../src/index.js';
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
  }, 180_000);

  it('fetches again only after it was let to, has told whether it was at the end, and closes all the same', async () => {
    const topic = await bench.newTopic(uniqueName('paced'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(3));
    const batches: ConsumedBatch[] = [];
    const held: { isAtEnd: boolean; messages: number; let: () => void; signal: AbortSignal }[] = [];
    const app = await start(bench.kafka, topic, group, (batch) => void batches.push(batch), {
      beforeNextFetch: ({ isAtEnd, messages }, signal) =>
        new Promise((resolve) => {
          held.push({ isAtEnd, messages, let: resolve, signal });
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    });
    await pollUntil(() => held.length === 1, { what: 'the first batch to be done' });
    expect(held[0]).toMatchObject({ isAtEnd: true, messages: 3 });
    expect(await bench.committed(group, topic)).toBe('3');
    await bench.producer.send(topic, numbered(2, 3));
    await bench.producer.send(topic, numbered(2, 5));
    expect(texts(batches)).toHaveLength(3);
    held[0]?.let();
    await pollUntil(() => held.length === 2, { what: 'the second batch to be done' });
    // What came in between is one batch.
    expect(batches.map(({ messages }) => messages.length)).toEqual([3, 4]);
    await app.close();
    expect(held[1]?.signal.aborted).toBe(true);
  }, 180_000);

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
  }, 180_000);

  it('reaches the end of a log that ends with control records, also where a transaction was aborted', async () => {
    const topic = await bench.newTopic(uniqueName('transactions'));
    const group = uniqueName('group');
    const producer = bench.kafka.producer({
      transactionalId: uniqueName('tx'),
      maxInFlightRequests: 1,
      idempotent: true,
    });
    await producer.connect();
    const send = async (values: string[]) => {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: values.map((value) => ({ value })) });
      return transaction;
    };
    await (await send(['kept', 'too'])).commit();
    const batches: ConsumedBatch[] = [];
    const { server, gaps } = await start(bench.kafka, topic, group, (batch) => void batches.push(batch));
    await pollUntil(() => server.positions()[0]?.nextOffset === '3', { what: 'the end, behind the commit' });
    await (await send(['dropped'])).abort();
    await pollUntil(() => server.positions()[0]?.nextOffset === '5', { what: 'the end, behind the abort' });
    await (await send(['last'])).commit();
    await pollUntil(() => server.positions()[0]?.nextOffset === '7', { what: 'the end' });
    await producer.disconnect();
    expect(texts(batches)).toEqual(['kept', 'too', 'last']);
    expect(gaps).toEqual([]);
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
  }, 180_000);

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
  }, 180_000);

  it('leaves the group within its bound also while a handler heeds nothing', async () => {
    const topic = await bench.newTopic(uniqueName('deaf'));
    const group = uniqueName('group');
    await bench.producer.send(topic, numbered(1));
    const entered = Promise.withResolvers<void>();
    const handled = Promise.withResolvers<void>();
    const deaf = () => {
      entered.resolve();
      return handled.promise;
    };
    // The broker itself would wait for five minutes.
    const app = await start(bench.kafka, topic, group, deaf, { closeTimeoutMs: 2_000, sessionTimeoutMs: 300_000 });
    await entered.promise;
    await app.close();
    const members = async () => (await bench.admin.describeGroups([group])).groups.flatMap((one) => one.members);
    await pollUntil(async () => (await members()).length === 0, { what: 'an empty group', timeoutMs: 10_000 });
    expect(await members()).toEqual([]);
    handled.resolve();
  }, 180_000);

  it('counts an idle loop as progress', async () => {
    const topic = await bench.newTopic(uniqueName('idle'));
    const { server } = await start(bench.kafka, topic, uniqueName('group'), () => undefined);
    const before = server.lastProgressAt();
    const after = await pollUntil(() => server.lastProgressAt() > before && server.lastProgressAt(), {
      what: 'progress',
    });
    expect(after).toBeGreaterThan(before);
  }, 180_000);
});
