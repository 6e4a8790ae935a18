import type { TopicContract } from '../topics.js';
import { RollupDataset, rollupTopicOf } from './datasets.js';

/**
 * The audit that reads the topics and publishes again what is behind its table must have come round at least once before
 * the log cleaner may remove what a stalled writer's record hides.
 */
export const rollupAuditPeriodMsMax = 600_000;

const minuteRetentionMs = 2 * 86_400_000;
const hourMs = 3_600_000;

const common = {
  'message.timestamp.type': 'LogAppendTime',
  'min.compaction.lag.ms': String(rollupAuditPeriodMsMax),
  'compression.type': 'zstd',
  'segment.bytes': String(128 * 1024 * 1024),
};
const compacted = {
  ...common,
  'cleanup.policy': 'compact',
  'segment.ms': String(hourMs),
  'min.cleanable.dirty.ratio': '0.3',
};
const minutes = { ...compacted, 'cleanup.policy': 'compact,delete', 'retention.ms': String(minuteRetentionMs) };

/** Configs of each dataset's topic, under Kafka's names. */
export const rollupTopicConfigs = {
  jettonMinute: minutes,
  jettonHour: compacted,
  jettonDay: compacted,
  poolMinute: minutes,
  // Rewritten all the time: cleaned as soon as allowed.
  statistics: { ...compacted, 'segment.ms': String(rollupAuditPeriodMsMax) },
} as const satisfies Record<RollupDataset, TopicContract['configs']>;

/** How far hours, days and statistics are published, see PublishedUpTo. */
export const publicationTopic = 'aggregator.publications.v1';

export interface RollupTopicOptions {
  /** In front of every name; default: nothing. */
  readonly prefix?: string;
  /** Partitions of each; adding some later would move keys. */
  readonly partitions: number;
}

/** The topics for internal subscribers, and the compacted one in which the writer remembers how far it is. */
export function rollupTopics({ prefix = '', partitions }: RollupTopicOptions): TopicContract[] {
  return [
    ...RollupDataset.options.map((dataset) => ({
      name: rollupTopicOf(dataset, prefix),
      partitions,
      configs: rollupTopicConfigs[dataset],
    })),
    {
      name: `${prefix}${publicationTopic}`,
      partitions: 1,
      configs: { 'cleanup.policy': 'compact', 'segment.ms': '600000', 'min.cleanable.dirty.ratio': '0.1' },
    },
  ];
}
