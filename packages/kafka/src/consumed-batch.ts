import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { GenerationToken } from './generation.js';

/** Header values as Kafka carries them: bytes, or several under one name. */
export type MessageHeaders = IHeaders;

export interface ConsumedMessage {
  /** Decimal text: offsets are 64 bits wide. */
  readonly offset: string;
  /** The record's own timestamp (create or append time, as the topic is configured), in ms since 1970. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  /** null: a tombstone. */
  readonly value: Buffer | null;
  readonly headers: MessageHeaders;
}

/**
 * Successive messages of one partition, at most `sliceMessagesMax` of them. The handler returns once everything that
 * follows from them is durable; the offset is committed after that.
 */
export interface ConsumedBatch {
  readonly topic: string;
  readonly partition: number;
  /** Never empty, in order of offset. */
  readonly messages: readonly ConsumedMessage[];
  readonly firstOffset: string;
  readonly lastOffset: string;
  /** Offset after the newest record of the partition at the time of the fetch. */
  readonly highWatermark: string;
  /** To be asked (`assertCurrent`) before each write. */
  readonly generation: GenerationToken;
  /** Aborted when the generation ends or the server closes; the handler should then return or throw soon. */
  readonly signal: AbortSignal;
  /** Heartbeats are sent by themselves; a handler that blocks the event loop for seconds may send one in between. */
  heartbeat(): Promise<void>;
}

export const consumedMessage = (message: KafkaMessage): ConsumedMessage => ({
  offset: message.offset,
  timestamp: Number(message.timestamp),
  key: message.key,
  value: message.value,
  headers: message.headers ?? {},
});
