import type { Admin, Kafka } from 'kafkajs';
import { createKafka, createProducer, ensureTopics, type KafkaProducer, type TopicSpec } from '../../src/index.js';
import { silent } from './silent.js';

export interface KafkaBench {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly producer: KafkaProducer;
  newTopic(name: string, spec?: Partial<TopicSpec>): Promise<string>;
  /** Next offset the group has committed for the partition; '-1' before the first commit. */
  committed(groupId: string, topic: string, partition?: number): Promise<string>;
  close(): Promise<void>;
}

/** A client of the shared broker with an admin and a producer, for the length of one spec file. */
export async function openBench(brokers: readonly string[]): Promise<KafkaBench> {
  const kafka = createKafka({ prefix: 'KAFKA_', brokers, clientId: 'spec' }, silent);
  const admin = kafka.admin();
  const producer = createProducer(kafka);
  await Promise.all([admin.connect(), producer.connect()]);
  return {
    kafka,
    admin,
    producer,
    async newTopic(name, spec = {}) {
      await ensureTopics(admin, [{ name, partitions: 1, configs: {}, ...spec }]);
      return name;
    },
    async committed(groupId, topic, partition = 0) {
      const offsets = await admin.fetchOffsets({ groupId, topics: [topic] });
      return offsets[0]?.partitions.find((entry) => entry.partition === partition)?.offset ?? '-1';
    },
    async close() {
      await Promise.all([admin.disconnect(), producer.disconnect()]);
    },
  };
}
