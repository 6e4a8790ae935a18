import { PartitionWatermark } from '@jetton-analytics/common';
import { type CompactedTopicFollower, followCompactedTopic, type KafkaLogger } from '@jetton-analytics/kafka';
import type { Kafka } from 'kafkajs';

export interface FollowOptions {
  readonly kafka: Kafka;
  readonly watermarkTopic: string;
  readonly tradesTopic: string;
  /** Other topics whose watermarks are known too; T does not depend on them. */
  readonly otherTopics?: readonly string[];
  readonly logger: KafkaLogger;
  /** Called after each record that was taken. */
  onChange(watermark: PartitionWatermark): void;
}

interface OfTopic {
  readonly newest: Map<number, PartitionWatermark>;
  newestAtMs: number;
}

/** The newest watermark of every partition, whoever owns it. */
export class FollowWatermarks {
  readonly #topics: ReadonlyMap<string, OfTopic>;
  readonly #tradesTopic: string;
  readonly #follower: CompactedTopicFollower;

  constructor(options: FollowOptions) {
    const { kafka, watermarkTopic, tradesTopic, otherTopics = [], logger } = options;
    this.#tradesTopic = tradesTopic;
    this.#topics = new Map([tradesTopic, ...otherTopics].map((topic) => [topic, { newest: new Map(), newestAtMs: 0 }]));
    this.#follower = followCompactedTopic(kafka, {
      topic: watermarkTopic,
      logger,
      onRecord: ({ value, timestamp, offset }) => {
        if (value === null) return;
        const parsed = PartitionWatermark.safeParse(jsonOf(value));
        if (!parsed.success) {
          logger.error({ watermarkTopic, offset }, 'a record is no watermark and is passed over');
          return;
        }
        const ofTopic = this.#topics.get(parsed.data.topic);
        if (ofTopic === undefined) return;
        ofTopic.newest.set(parsed.data.partition, parsed.data);
        ofTopic.newestAtMs = Math.max(ofTopic.newestAtMs, timestamp);
        options.onChange(parsed.data);
      },
    });
  }

  /** Resolves when everything written before the start is known. */
  get caughtUp(): Promise<void> {
    return this.#follower.caughtUp;
  }

  /** Of the partitions of the trades topic that have one. */
  get all(): PartitionWatermark[] {
    return [...(this.#topics.get(this.#tradesTopic)?.newest.values() ?? [])];
  }

  /** The broker's instant of the topic's newest watermark, ms; 0 before the first. */
  newestAtMs(topic: string = this.#tradesTopic): number {
    return this.#topics.get(topic)?.newestAtMs ?? 0;
  }

  of(partition: number, topic: string = this.#tradesTopic): PartitionWatermark | undefined {
    return this.#topics.get(topic)?.newest.get(partition);
  }

  stop(): Promise<void> {
    return this.#follower.stop();
  }
}

function jsonOf(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString());
  } catch {
    return undefined;
  }
}
