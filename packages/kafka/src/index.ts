export {
  type BatchRetry,
  type BatchServerEvents,
  type BatchStart,
  type FetchedBatch,
  isProgrammingError,
  type KafkaBatchServerOptions,
} from './batch-server.options.js';
export { createKafka, type KafkaLogger } from './client.js';
export { type KafkaConnection, type KafkaLogin, type KafkaTls, resolveConnections } from './connection.js';
export type { ConsumedBatch, ConsumedMessage, MessageHeaders } from './consumed-batch.js';
export {
  DeadlineError,
  FatalConsumerError,
  KafkaSettingsError,
  StaleGenerationError,
  TopicMismatchError,
  UndecodableBatchError,
} from './errors.js';
export type { Assignment, GenerationToken } from './generation.js';
export { endOffsets, groupLag, offsetsForTime, type PartitionOffsets } from './offsets.js';
export type { OffsetGap, PartitionPosition } from './positions.js';
export { type KafkaEnv, kafkaSettings, type SourceKafkaEnv, sourceKafkaSettings, statesGroupId } from './settings.js';
export { type CompactedTopicFollower, type CompactedTopicOptions, followCompactedTopic } from './compacted-topic.js';
export { type DeadLetter, deadLetters, type DeadLetters } from './dead-letters.js';
export type { ProducedRecord } from './produced-record.js';
export { createProducer, type KafkaProducer, type ProduceAck, type ProducerOptions } from './producer.js';
export { ensureTopics, type EnsuredTopics, planTopics, type TopicPlan, type TopicSpec } from './topics.js';
export { readRecords, type RecordRange, type RecordsRead } from './read-records.js';
export { commitForEmptyGroup, type PartitionOffset, undecodableBatchAt } from './skip-batch.js';
