import { isNewerRollup, type RollupDataset, rollupTopicOf } from '@jetton-analytics/common';
import { followCompactedTopic, type KafkaLogger } from '@jetton-analytics/kafka';
import type { Kafka } from 'kafkajs';
import { type InvalidRollup, type KeyedRollup, readRollup } from './read-record.js';

export interface FollowRollupsOptions<D extends RollupDataset> {
  readonly dataset: D;
  /** The deployment's ROLLUP_TOPIC_PREFIX. */
  readonly topicPrefix?: string;
  readonly logger: KafkaLogger;
  /**
   * Upserts by the readers' rule (isNewerRollup, RollupTable), durably if it is to be. Each key at most once per call;
   * the next records wait until it is done. When it throws, it is called again with the same records, with backoff.
   */
  apply(records: readonly KeyedRollup<D>[]): Promise<void>;
  /** A record that does not keep the contract; it is passed over. Must not throw. */
  onInvalid(invalid: InvalidRollup): void;
  /** How long one call of `apply` may take before it counts as failed. Default 60 s. */
  readonly applyTimeoutMs?: number;
}

export interface RollupSubscription {
  /** Resolves when everything that was published at the start is applied. */
  readonly caughtUp: Promise<void>;
  /** How far the input was taken in when the newest record was made, an instant of the feed; null: no record told it. */
  readonly watermark: string | null;
  /** Stops, within 10 s, or when `apply` is done. */
  stop(): Promise<void>;
}

const applyTimeoutMsDefault = 60_000;

/**
 * Reads a rollup topic from its oldest record, then goes on with new ones until stopped. Compaction keeps the newest
 * record of every key, so the beginning is the snapshot, whenever the subscriber starts and wherever it was killed.
 * Needs the right to read the topic and to make consumer groups named `follow-…`; commits nothing.
 */
export function followRollups<D extends RollupDataset>(
  kafka: Kafka,
  options: FollowRollupsOptions<D>,
): RollupSubscription {
  const { dataset, topicPrefix, logger } = options;
  let waiting = new Map<string, KeyedRollup<D>>();
  let watermark: string | null = null;
  const follower = followCompactedTopic(kafka, {
    topic: rollupTopicOf(dataset, topicPrefix),
    logger,
    onRecord: (message) => {
      const read = readRollup(dataset, message);
      if ('reason' in read) return options.onInvalid(read);
      if (isNewerRollup(read.record, waiting.get(read.key)?.record)) waiting.set(read.key, read);
    },
    onBatch: async () => {
      const records = [...waiting.values()];
      // A batch that fails is read again.
      waiting = new Map();
      if (records.length === 0) return;
      await applied(options, records);
      for (const { record } of records) {
        if (record.watermark !== null && (watermark === null || record.watermark > watermark))
          watermark = record.watermark;
      }
    },
  });
  return {
    caughtUp: follower.caughtUp,
    get watermark() {
      return watermark;
    },
    stop: () => follower.stop(),
  };
}

async function applied<D extends RollupDataset>(
  options: FollowRollupsOptions<D>,
  records: readonly KeyedRollup<D>[],
): Promise<void> {
  const { applyTimeoutMs = applyTimeoutMsDefault } = options;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`records were not applied within ${applyTimeoutMs} ms`)), applyTimeoutMs);
  });
  try {
    await Promise.race([options.apply(records), late]);
  } finally {
    clearTimeout(timer);
  }
}
