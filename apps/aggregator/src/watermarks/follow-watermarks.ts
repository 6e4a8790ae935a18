import { PartitionWatermark } from '@jetton-analytics/common';
import { type CompactedTopicFollower, followCompactedTopic, type KafkaLogger } from '@jetton-analytics/kafka';
import type { Kafka } from 'kafkajs';

export interface FollowOptions {
  readonly kafka: Kafka;
  readonly watermarkTopic: string;
  readonly tradesTopic: string;
  readonly logger: KafkaLogger;
  /** Called after each record that was taken. */
  onChange(watermark: PartitionWatermark): void;
}

/** The newest watermark of every partition of the trades topic, whoever owns it. */
export class FollowWatermarks {
  readonly #newest = new Map<number, PartitionWatermark>();
  readonly #follower: CompactedTopicFollower;
  #newestAtMs = 0;

  constructor(options: FollowOptions) {
    const { kafka, watermarkTopic, tradesTopic, logger } = options;
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
        if (parsed.data.topic !== tradesTopic) return;
        this.#newest.set(parsed.data.partition, parsed.data);
        this.#newestAtMs = Math.max(this.#newestAtMs, timestamp);
        options.onChange(parsed.data);
      },
    });
  }

  /** Resolves when everything written before the start is known. */
  get caughtUp(): Promise<void> {
    return this.#follower.caughtUp;
  }

  /** The broker's instant of the newest watermark, ms; 0 before the first. */
  get newestAtMs(): number {
    return this.#newestAtMs;
  }

  /** Of the partitions that have one. */
  get all(): PartitionWatermark[] {
    return [...this.#newest.values()];
  }

  of(partition: number): PartitionWatermark | undefined {
    return this.#newest.get(partition);
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
