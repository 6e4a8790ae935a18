import { embeddedFeedTopics } from '@jetton-analytics/common';
import {
  createKafka,
  ensureTopics,
  resolveConnections,
  kafkaSettings,
  type KafkaConnection,
} from '@jetton-analytics/kafka';
import { pollUntil, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { z } from 'zod';
import type { TopicNames } from '../../src/env.js';
import { openFeedProducer, type FeedProducer } from '../../src/feed-producer.js';

export const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** A record as it lies in Kafka. */
interface StoredRecord {
  readonly partition: number;
  readonly timestampMs: number;
  readonly key: Buffer | null;
  readonly value: string;
}

export interface FeedBench {
  readonly connection: KafkaConnection;
  readonly topics: TopicNames;
  open(signal: AbortSignal): Promise<FeedProducer>;
  /** Everything in a topic, by partition and offset; `atLeast` waits for so many records. */
  read(topic: string, atLeast: number): Promise<StoredRecord[]>;
  newTopic(): Promise<string>;
  close(): Promise<void>;
}

const partitions = 3;

/** The shared Kafka with feed topics of the spec's own, created as the stack creates them. */
export async function openFeedBench(): Promise<FeedBench> {
  const { brokers } = await sharedKafka();
  const connection = resolveConnections(z.object(kafkaSettings).parse({ KAFKA_BROKERS: brokers.join(',') })).own;
  const kafka = createKafka(connection, silentLogger);
  const admin = kafka.admin();
  await admin.connect();
  const create = async (name: string): Promise<string> => {
    await ensureTopics(admin, embeddedFeedTopics([name], partitions));
    return name;
  };
  const topics = {
    trades: await create(uniqueName('trades')),
    pools: await create(uniqueName('pools')),
    jettonMetadata: await create(uniqueName('metadata')),
    balances: await create(uniqueName('balances')),
  };
  return {
    connection,
    topics,
    open: (signal) => openFeedProducer({ connection, topics: Object.values(topics), logger: silentLogger, signal }),
    newTopic: () => create(uniqueName('trades')),
    async read(topic, atLeast) {
      const found: (StoredRecord & { readonly offset: number })[] = [];
      const consumer = kafka.consumer({ groupId: uniqueName('reader'), maxWaitTimeInMs: 100 });
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ partition, message: { timestamp, key, value, offset } }) => {
          const text = value?.toString('latin1') ?? '';
          found.push({ partition, timestampMs: Number(timestamp), key, value: text, offset: Number(offset) });
        },
      });
      const ends = await admin.fetchTopicOffsets(topic);
      const total = Math.max(
        atLeast,
        ends.reduce((sum, { high }) => sum + Number(high), 0),
      );
      await pollUntil(() => found.length >= total, { what: `${total} records in ${topic}`, timeoutMs: 30_000 });
      await consumer.disconnect();
      return found
        .toSorted((a, b) => a.partition - b.partition || a.offset - b.offset)
        .map(({ offset: _offset, ...record }) => record);
    },
    close: () => admin.disconnect(),
  };
}
