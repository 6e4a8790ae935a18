import { beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { pollUntil, sharedKafka, uniqueName } from './index.js';

describe('sharedKafka', () => {
  let brokers: string[];
  beforeAll(async () => {
    ({ brokers } = await sharedKafka());
  }, 480_000);

  it('is one broker for everybody who asks in this run', async () => {
    const again = await Promise.all([sharedKafka(), sharedKafka()]);
    expect(again).toEqual([{ brokers }, { brokers }]);
  });

  it('delivers what was produced, through a group, on a topic of its own', async () => {
    const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
    const topic = uniqueName('delivered');
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }], waitForLeaders: true });
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic, messages: [{ value: 'a' }, { value: 'b' }] });
    const consumer = kafka.consumer({ groupId: uniqueName('group') });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    const seen: string[] = [];
    await consumer.run({ eachMessage: async ({ message }) => void seen.push(String(message.value)) });
    await pollUntil(() => seen.length >= 2, { what: 'both messages', timeoutMs: 20_000 });
    expect(seen.sort()).toEqual(['a', 'b']);
    await Promise.all([consumer.disconnect(), producer.disconnect(), admin.disconnect()]);
  }, 300_000);

  it('refuses a topic nobody created, so that a misspelt name cannot pass unseen', async () => {
    const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 0 } }).producer({
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    await expect(producer.send({ topic: uniqueName('absent'), messages: [{ value: 'a' }] })).rejects.toThrow(
      /does not host this topic/,
    );
    await producer.disconnect();
  }, 180_000);
});
