import { ClickHouseQueryError } from '@jetton-analytics/clickhouse';
import { type BatchServerEvents, isProgrammingError, type KafkaLogger } from '@jetton-analytics/kafka';
import { KafkaBatchServer } from '@jetton-analytics/kafka/server';
import type { Kafka } from 'kafkajs';
import { MetadataRefusedError } from './metadata/metadata-errors.js';
import type { TradeMetrics } from './trades/trade-metrics.js';
import type { FetchPace } from './watermarks/fetch-pace.js';
import type { PublishWatermarks } from './watermarks/publish-watermarks.js';

export interface FeedConsumerOptions extends Required<Pick<BatchServerEvents, 'onAssigned' | 'onRevoked'>> {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly sessionTimeoutMs: number;
  /** The client id of `kafka`, if no other process bears it. */
  readonly ownClientId: string | undefined;
  /** How long it may take to stop. */
  readonly closeTimeoutMs: number;
  readonly metrics: Pick<TradeMetrics, 'gap' | 'retry'>;
  readonly logger: KafkaLogger & { fatal(fields: object, message: string): void };
  readonly nowMs: () => number;
  /** The real name of a handler's topic. */
  readonly topicOf: (pattern: string) => string;
  /** What tells of a topic's progress. */
  readonly watermarksOf: (topic: string) => PublishWatermarks | undefined;
  /** When a consumer that has read everything fetches again; undefined: at once. */
  readonly pace?: Pick<FetchPace, 'wait'> | undefined;
}

const mib = 1024 * 1024;

/** A consumer of topics of the feed: its progress goes into the watermarks, and a crash ends the process. */
export function feedConsumer(options: FeedConsumerOptions): KafkaBatchServer {
  const {
    kafka,
    groupId,
    sessionTimeoutMs,
    ownClientId,
    topicOf,
    onAssigned,
    onRevoked,
    watermarksOf,
    metrics,
    logger,
    nowMs,
  } = options;
  return new KafkaBatchServer({
    kafka,
    groupId,
    sessionTimeoutMs,
    closeTimeoutMs: options.closeTimeoutMs,
    ...(ownClientId !== undefined && { ownClientId }),
    // A batch that waits for its store must not keep those of other partitions from their handlers.
    partitionsConsumedConcurrently: 64,
    // Few large rounds make few parts to merge: a backlog is read in large bites.
    sliceMessagesMax: 15_000,
    fetchPartitionBytesMax: 16 * mib,
    fetchBytesMax: 64 * mib,
    logger,
    nowMs,
    topicOf,
    onAssigned,
    onRevoked,
    onCrash: (error) => {
      // A stopped consumer in a living process would be silence: the supervisor starts us again.
      logger.fatal({ err: error }, error.message);
      process.exit(1);
    },
    onBatchStart: ({ topic, partition, firstTimestampMs }) =>
      watermarksOf(topic)?.of(partition)?.batchStarted(firstTimestampMs),
    onBatchDone: ({ topic, partition, nextOffset }) => watermarksOf(topic)?.batchDone(partition, nextOffset),
    onGap: ({ topic, partition, from, to, rewound }) => {
      logger.error({ topic, partition, from, to, rewound }, 'offsets are gone; consumption goes on from the earliest');
      metrics.gap(BigInt(to) - BigInt(from));
      watermarksOf(topic)?.gap(partition, from, to);
    },
    onRetry: () => metrics.retry(),
    ...(options.pace !== undefined && { beforeNextFetch: options.pace.wait }),
    // A statement the store refuses is refused again: better to stop with its name than to retry for ever.
    isFatal: (error) =>
      error instanceof ClickHouseQueryError || error instanceof MetadataRefusedError || isProgrammingError(error),
  });
}
