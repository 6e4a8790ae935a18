import { clickhouseSettings, type ClickHouseWriter, createWriter, migrate } from '@jetton-analytics/clickhouse';
import { deadLetterTopicOf, embeddedFeedTopics, ownTopics } from '@jetton-analytics/common';
import {
  type CompactedTopicFollower,
  type ConsumedMessage,
  createKafka,
  createProducer,
  ensureTopics,
  followCompactedTopic,
  type KafkaLogger,
  type KafkaProducer,
} from '@jetton-analytics/kafka';
import { sharedClickHouse, sharedKafka, uniqueName } from '@jetton-analytics/testing';
import type { Admin, Kafka } from 'kafkajs';
import { z } from 'zod';
import { tradeMessage, type TradeFields } from './feed-messages.js';
import { newPostgres } from './postgres.js';

const nothing = (): void => undefined;
const silent: KafkaLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export type FollowedRecord = ConsumedMessage & { readonly partition: number };

/** Topics, a group and a database of their own, and what a test needs to look at them. */
export interface Input {
  readonly tradesTopic: string;
  readonly poolsTopic: string;
  readonly metadataTopic: string;
  readonly balancesTopic: string;
  readonly deadLetterTopic: string;
  readonly watermarkTopic: string;
  /** The group that reads trades. */
  readonly groupId: string;
  /** The group that reads the other topics. */
  readonly statesGroupId: string;
  /** The environment of an aggregator that works on them, on free ports. */
  readonly env: Readonly<Record<string, string>>;
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly producer: KafkaProducer;
  readonly store: ClickHouseWriter;
  /** Produces trades in one request, each one second after its event; returns the offset of the first. */
  produce(trades: readonly TradeFields[], partition?: number): Promise<number>;
  /** Next offset the group has committed, of the trades topic where no other is named; -1 before the first commit. */
  committed(partition?: number, topic?: string): Promise<number>;
  /** Collects what a topic holds and what is appended to it, until `close`. */
  follow(topic: string): FollowedRecord[];
  close(): Promise<void>;
}

export interface InputOptions {
  readonly partitions?: number;
  /** A store of the test's own; the shared one by default. */
  readonly clickhouseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly withoutDeadLetters?: boolean;
}

export async function newInput(options: InputOptions = {}): Promise<Input> {
  const [{ brokers }, databaseUrl, url] = await Promise.all([
    sharedKafka(),
    newPostgres(),
    options.clickhouseUrl ?? sharedClickHouse().then((shared) => shared.url),
  ]);
  const tradesTopic = uniqueName('trades');
  const [poolsTopic, metadataTopic, balancesTopic] = [
    uniqueName('pools'),
    uniqueName('metadata'),
    uniqueName('balances'),
  ];
  const feedTopics = [tradesTopic, poolsTopic, metadataTopic, balancesTopic];
  const watermarkTopic = uniqueName('watermarks');
  const groupId = uniqueName('group');
  const statesGroupId = `${groupId}-states`;
  const kafka = createKafka({ prefix: 'KAFKA_', brokers, clientId: 'aggregator tests' }, silent);
  const admin = kafka.admin();
  const producer = createProducer(kafka);
  const database = z
    .object(clickhouseSettings)
    .parse({ CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: uniqueName('aggregator') });
  await Promise.all([admin.connect(), producer.connect(), migrate(database)]);
  const own = ownTopics(feedTopics, watermarkTopic);
  await ensureTopics(admin, [
    ...embeddedFeedTopics(feedTopics, options.partitions ?? 1),
    ...own.filter(({ name }) => name === watermarkTopic || options.withoutDeadLetters !== true),
  ]);
  const store = createWriter(database, { application: 'aggregator tests', lane: 'read' });
  const followers: CompactedTopicFollower[] = [];
  return {
    tradesTopic,
    poolsTopic,
    metadataTopic,
    balancesTopic,
    deadLetterTopic: deadLetterTopicOf(tradesTopic),
    watermarkTopic,
    groupId,
    statesGroupId,
    env: {
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
      KAFKA_BROKERS: brokers.join(','),
      SOURCE_KAFKA_GROUP_ID: groupId,
      DEX_TRADES_TOPIC: tradesTopic,
      DEX_POOLS_TOPIC: poolsTopic,
      JETTON_METADATA_TOPIC: metadataTopic,
      BALANCES_TOPIC: balancesTopic,
      WATERMARK_TOPIC: watermarkTopic,
      DATABASE_URL: databaseUrl,
      CLICKHOUSE_URL: url,
      CLICKHOUSE_DATABASE: database.CLICKHOUSE_DATABASE,
      FEED_DELAY_SECONDS: '0',
      // What is not about them is quicker without.
      ROLLUP_TOPICS: 'off',
      STEP_SHORT_SECONDS: '1',
      STEP_MID_SECONDS: '1',
      STEP_LONG_SECONDS: '1',
      ...options.env,
    },
    kafka,
    admin,
    producer,
    store,
    async produce(trades, partition = 0) {
      const acks = await producer.send(
        tradesTopic,
        trades.map((fields) => ({
          value: JSON.stringify(tradeMessage(fields)),
          timestampMs: (fields.eventTime + 1) * 1_000,
          partition,
        })),
      );
      return Number(acks[0]?.baseOffset);
    },
    async committed(partition = 0, topic = tradesTopic) {
      const group = topic === tradesTopic ? groupId : statesGroupId;
      const [found] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      return Number(found?.partitions.find((entry) => entry.partition === partition)?.offset ?? -1);
    },
    follow(topic) {
      const records: FollowedRecord[] = [];
      followers.push(
        followCompactedTopic(kafka, { topic, logger: silent, onRecord: (record) => records.push(record) }),
      );
      return records;
    },
    async close() {
      await Promise.all(followers.map((follower) => follower.stop()));
      await Promise.all([admin.disconnect(), producer.disconnect(), store.close()]);
    },
  };
}
