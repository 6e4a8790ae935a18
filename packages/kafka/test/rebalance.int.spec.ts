import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { type ISocketFactory, Kafka } from 'kafkajs';
import { type ConsumedBatch, createKafka, type GenerationToken, StaleGenerationError } from '../src/index.js';
import { type ConsumerApp, startConsumer } from './support/consumer-app.js';
import { type KafkaBench, openBench } from './support/kafka-bench.js';
import { silent } from './support/silent.js';

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
const partitionsOf = ({ server }: ConsumerApp, topic: string) => server.ownedPartitions()[topic] ?? [];

describe('KafkaBatchServer in a group of two', () => {
  it('shares the partitions out, tells of it, and loses no message', async () => {
    const topic = await bench.newTopic(uniqueName('shared'), { partitions: 4 });
    const group = uniqueName('group');
    const seen = new Map<string, Set<string>>();
    const events: string[] = [];
    const note = (name: string) => (batch: ConsumedBatch) => {
      for (const { value } of batch.messages) {
        seen.set(String(value), (seen.get(String(value)) ?? new Set()).add(name));
      }
    };
    const first = await start(bench.kafka, topic, group, note('first'), {
      onAssigned: (partitions, { generationId }) => events.push(`${generationId}: ${partitions[topic]?.length ?? 0}`),
      onRevoked: () => events.push('revoked'),
    });
    await pollUntil(() => partitionsOf(first, topic).length === 4, { what: 'all partitions' });
    await bench.producer.send(topic, messages(0, 40));
    await pollUntil(() => seen.size === 40, { what: 'the first forty' });
    const second = await start(bench.kafka, topic, group, note('second'));
    await pollUntil(() => partitionsOf(first, topic).length === 2 && partitionsOf(second, topic).length === 2, {
      what: 'two partitions each',
    });
    expect([...partitionsOf(first, topic), ...partitionsOf(second, topic)].toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(events[0]).toMatch(/^\d+: 4$/);
    expect(events).toContain('revoked');
    expect(events.at(-1)).toMatch(/^\d+: 2$/);
    await bench.producer.send(topic, messages(40, 80));
    await pollUntil(() => seen.size === 80, { what: 'all eighty' });
    const ownersOfNew = messages(40, 80).map(({ value }) => [...(seen.get(value) ?? [])]);
    expect(new Set(ownersOfNew.flat())).toEqual(new Set(['first', 'second']));
    expect(ownersOfNew.every((owners) => owners.length === 1)).toBe(true);
    await second.close();
    await pollUntil(() => partitionsOf(first, topic).length === 4, { what: 'all partitions again' });
  }, 300_000);

  it('makes the token of a batch in hand stale, aborts it and does not commit it after the loss', async () => {
    const topic = await bench.newTopic(uniqueName('stale'), { partitions: 2 });
    const group = uniqueName('group');
    await bench.producer.send(topic, messages(0, 2, 2));
    const held: ConsumedBatch[] = [];
    const first = await start(
      bench.kafka,
      topic,
      group,
      (batch) => {
        held.push(batch);
        // A handler that ends well, but too late.
        return new Promise((resolve) => batch.signal.addEventListener('abort', () => resolve(), { once: true }));
      },
      { sessionTimeoutMs: 6_000 },
    );
    await pollUntil(() => held.length === 2, { what: 'a batch of each partition' });
    const tokens: GenerationToken[] = held.map(({ generation }) => generation);
    expect(tokens.map((token) => token.isCurrent())).toEqual([true, true]);
    const second = await start(bench.kafka, topic, group, () => new Promise<void>(() => undefined), {
      closeTimeoutMs: 2_000,
      abandonAfterMs: 500,
    });
    await pollUntil(() => partitionsOf(second, topic).length === 1, { what: 'the rebalance', timeoutMs: 20_000 });
    expect(tokens.map((token) => token.isCurrent())).toEqual([false, false]);
    expect(() => tokens[0]?.assertCurrent()).toThrow(StaleGenerationError);
    expect(await bench.committed(group, topic, 0)).toBe('-1');
    expect(await bench.committed(group, topic, 1)).toBe('-1');
    // What was dropped comes again, in a later generation.
    await pollUntil(() => held.length >= 3, { what: 'the redelivery' });
    expect(held[2]?.generation.generationId).toBeGreaterThan(tokens[0]?.generationId ?? Infinity);
    expect(first.crashes).toEqual([]);
  }, 300_000);

  it('believes no heartbeat’s answer that it reads after its session: it joins anew before it owns anything', async () => {
    const topic = await bench.newTopic(uniqueName('late'), { partitions: 2 });
    const group = uniqueName('group');
    const { brokers } = await sharedKafka();
    const stall = stallAtHeartbeat();
    const kafka = new Kafka({
      brokers: [...brokers],
      socketFactory: stall.socketFactory,
      logCreator: () => () => undefined,
    });
    const generations: number[] = [];
    const app = await start(kafka, topic, group, () => undefined, {
      sessionTimeoutMs: 6_000,
      onAssigned: (_, { generationId }) => generations.push(generationId),
    });
    await pollUntil(() => partitionsOf(app, topic).length === 2, { what: 'its partitions' });
    const before = generations.length;
    await stall.begin();
    await pollUntil(
      async () => (await bench.admin.describeGroups([group])).groups.every(({ members }) => members.length === 0),
      { what: 'the end of its session', timeoutMs: 30_000 },
    );
    expect(partitionsOf(app, topic)).toEqual([]);
    stall.end();
    await pollUntil(() => generations.length > before, { what: 'the next assignment', timeoutMs: 30_000 });
    expect(generations[before]).toBeGreaterThan(generations[before - 1] ?? Infinity);
    expect(app.crashes).toEqual([]);
  }, 300_000);

  it('does not wait for the session of a dead predecessor of its name', async () => {
    const topic = await bench.newTopic(uniqueName('heir'), { partitions: 2 });
    const group = uniqueName('group');
    await bench.producer.send(topic, messages(0, 2, 2));
    const clientId = uniqueName('instance');
    const { brokers } = await sharedKafka();
    const kafka = createKafka({ prefix: 'KAFKA_', brokers, clientId }, silent);
    // Holds the group without a sign of life: only who dismisses it gets its partitions within this test.
    const sessionTimeout = 300_000;
    const dead = kafka.consumer({ groupId: group, sessionTimeout, rebalanceTimeout: sessionTimeout });
    await dead.connect();
    await dead.subscribe({ topics: [topic], fromBeginning: true });
    const entered = new Promise<() => void>((resolve) => {
      void dead.run({ eachMessage: () => new Promise<void>((leave) => resolve(leave)) });
    });
    const leave = await entered;
    try {
      const heir = await start(kafka, topic, group, () => undefined, { ownClientId: clientId });
      await pollUntil(() => partitionsOf(heir, topic).length === 2, { what: 'its partitions', timeoutMs: 20_000 });
      expect(partitionsOf(heir, topic)).toEqual([0, 1]);
    } finally {
      leave();
      await dead.disconnect();
    }
  }, 300_000);

  it('crashes rather than live beside a handler that does not end', async () => {
    const topic = await bench.newTopic(uniqueName('stuck'), { partitions: 2 });
    const group = uniqueName('group');
    await bench.producer.send(topic, messages(0, 2, 2));
    let held = 0;
    const stuck = () => {
      held += 1;
      return new Promise<void>(() => undefined);
    };
    const first = await start(bench.kafka, topic, group, stuck, { abandonAfterMs: 500, closeTimeoutMs: 2_000 });
    await pollUntil(() => held === 2, { what: 'a batch of each partition' });
    await start(bench.kafka, topic, group, () => undefined);
    await pollUntil(() => first.crashes.length > 0, { what: 'the crash', timeoutMs: 20_000 });
    expect(first.crashes[0]?.message).toContain('after its generation had ended');
  }, 300_000);
});

const heartbeatKey = 12;

/** Sockets that, from the next heartbeat on, send but do not read: as in a process that stops just then. */
function stallAtHeartbeat() {
  const sockets: Socket[] = [];
  let stalled: (() => void) | undefined;
  const socketFactory: ISocketFactory = ({ host, port, onConnect }) => {
    const socket = connect({ host, port }, onConnect);
    sockets.push(socket);
    const write = socket.write.bind(socket);
    // A request begins with its length, four bytes, and the key of its kind, two.
    socket.write = (request: Buffer, ...rest: never[]) => {
      if (stalled !== undefined && request.readInt16BE(4) === heartbeatKey) {
        for (const one of sockets) one.pause();
        stalled();
        stalled = undefined;
      }
      return write(request, ...rest);
    };
    return socket;
  };
  return {
    socketFactory,
    begin: () => new Promise<void>((resolve) => (stalled = resolve)),
    end: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}

const messages = (from: number, to: number, partitions = 4) =>
  Array.from({ length: to - from }, (_, index) => ({
    value: `m${from + index}`,
    partition: (from + index) % partitions,
  }));
