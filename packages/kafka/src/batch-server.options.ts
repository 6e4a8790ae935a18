import type { Kafka } from 'kafkajs';
import type { KafkaLogger } from './client.js';
import type { BackoffOptions } from './deadline.js';
import type { Assignment, GenerationToken } from './generation.js';
import type { OffsetGap } from './positions.js';

/** What is told while consuming. Callbacks are called synchronously and must not throw. */
export interface BatchServerEvents {
  /** The process owns these partitions from now on; `positions()` is filled. The owner of partition 0 is the leader. */
  onAssigned?(partitions: Assignment, generation: GenerationToken): void;
  /** What was assigned last is not owned any more; the token it came with is stale. */
  onRevoked?(): void;
  /** Called before the handler; `firstOffset` is the next record that is not durable yet. */
  onBatchStart?(start: BatchStart): void;
  /** Called when everything before `nextOffset` is durable and committed. */
  onBatchDone?(done: { readonly topic: string; readonly partition: number; readonly nextOffset: string }): void;
  onGap?(gap: OffsetGap): void;
  onRetry?(retry: BatchRetry): void;
  /**
   * Awaited once a fetched batch is done, before more is fetched of its broker: one that resolves later makes fewer, larger
   * batches. Heartbeats go on meanwhile. Resolves soon after the signal is aborted, and never rejects.
   */
  beforeNextFetch?(done: FetchedBatch, signal: AbortSignal): Promise<void>;
}

/** A fetched batch that is done. */
export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: number;
  /** It reached the end of the partition as of its fetch. */
  readonly isAtEnd: boolean;
}

export interface BatchStart {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: string;
  /** The first record's own timestamp. */
  readonly firstTimestampMs: number;
}

export interface BatchRetry {
  readonly topic: string;
  readonly partition: number;
  /** From 0. */
  readonly attempt: number;
  readonly retryInMs: number;
  readonly error: Error;
}

export interface KafkaBatchServerOptions extends BatchServerEvents {
  readonly kafka: Kafka;
  readonly groupId: string;
  /**
   * The client id of `kafka`, if no other process bears it: members of the group that do are dead predecessors, and leave it
   * when this one starts instead of when their session ends.
   */
  readonly ownClientId?: string;
  readonly logger: KafkaLogger;
  /** The injected clock, ms since 1970; read for `lastProgressAt` only. */
  readonly nowMs: () => number;
  /** The consumer has stopped for good: the process must exit non-zero. Called at most once. */
  onCrash(error: Error): void;
  /** The topic of a handler's pattern; by default the pattern itself. */
  topicOf?(pattern: string): string;
  /** Errors of a handler that no retry can heal. By default FatalConsumerError and errors of programming. */
  isFatal?(error: unknown): boolean;
  /** Handlers that run side by side, each on a partition of its own. Default 8. */
  readonly partitionsConsumedConcurrently?: number;
  /** Most messages in one ConsumedBatch; fewer at first and while batches are slow or come again. Default 5,000. */
  readonly sliceMessagesMax?: number;
  /** Most bytes of one partition in one fetch; a single record batch may be larger. Default 4 MiB. */
  readonly fetchPartitionBytesMax?: number;
  /** Most bytes of one fetch. Default 16 MiB. */
  readonly fetchBytesMax?: number;
  /** How long a broker may hold back an empty answer. Default 250 ms. */
  readonly fetchWaitMs?: number;
  /** Silence after which the coordinator gives the partitions away, so the wait after a kill -9. Default 15 s. */
  readonly sessionTimeoutMs?: number;
  /** How long the group waits for a member to rejoin. Default 60 s. */
  readonly rebalanceTimeoutMs?: number;
  /** Waits between attempts at a batch. Default 250 ms to 15 s. */
  readonly backoff?: BackoffOptions;
  /** How long a handler may go on after its generation has ended. Default 20 s. */
  readonly abandonAfterMs?: number;
  /** How long close() may take: half of it for the batch in hand. Default 20 s. */
  readonly closeTimeoutMs?: number;
}

/** What the loop over one fetched batch needs of them. */
export interface BatchLoopOptions extends BatchServerEvents {
  readonly groupId: string;
  readonly logger: KafkaLogger;
  readonly heartbeatEveryMs: number;
  readonly abandonAfterMs: number;
  readonly backoff: BackoffOptions;
  isFatal(error: unknown): boolean;
}

/** Errors of programming: the same batch would fail the same way for ever. */
export const isProgrammingError = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof ReferenceError ||
  error instanceof RangeError ||
  error instanceof SyntaxError;
