import { randomUUID } from 'node:crypto';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { KafkaLogger } from './client.js';
import { type ConsumedMessage, consumedMessage } from './consumed-batch.js';
import { backoffMs, pause, withDeadline } from './deadline.js';
import { asError } from './errors.js';
import { endOffsets } from './offsets.js';

export interface CompactedTopicOptions {
  readonly topic: string;
  readonly logger: KafkaLogger;
  /** Called in the order of each partition; once per record, also over reconnections, unless its onBatch failed. Must not throw. */
  onRecord(record: ConsumedMessage & { readonly partition: number }): void;
  /**
   * Called after the records of one fetch of a partition were given to onRecord, and awaited before the next are. When it
   * rejects, the same records come again.
   */
  onBatch?(): Promise<void>;
  /** Called once, when everything that was in the topic at the start has been given to onRecord. */
  onCaughtUp?(): void;
  /** How long the broker may hold back an empty answer. Default 100 ms. */
  readonly fetchWaitMs?: number;
}

export interface CompactedTopicFollower {
  /** Resolves when onCaughtUp is called. */
  readonly caughtUp: Promise<void>;
  /** Stops, within 10 s. */
  stop(): Promise<void>;
}

const backoff = { initialMs: 250, maxMs: 15_000 };
const stopTimeoutMs = 10_000;

/**
 * Gives every record of a compacted topic, from the oldest there is, and goes on with new ones until stopped. Nothing is
 * committed: kafkajs consumes in groups only, so each follower is a group of its own, deleted when it ends. After a
 * crash it starts again, with backoff, where it was.
 */
export function followCompactedTopic(kafka: Kafka, options: CompactedTopicOptions): CompactedTopicFollower {
  const follower = new Follower(kafka, options);
  void follower.run();
  return { caughtUp: follower.caughtUp.promise, stop: () => follower.stop() };
}

class Follower {
  readonly caughtUp = Promise.withResolvers<void>();
  private readonly stopping = new AbortController();
  private readonly next = new Map<number, bigint>();
  /** Ends seen at the start, of the partitions that have not reached them yet. */
  private behind: Map<number, bigint> | undefined;
  private isCaughtUp = false;
  private hasAdvanced = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly kafka: Kafka,
    private readonly options: CompactedTopicOptions,
  ) {}

  run(): Promise<void> {
    this.running ??= this.loop();
    return this.running;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await withDeadline(this.run(), stopTimeoutMs, `leaving ${this.options.topic}`).catch((error: unknown) =>
      this.options.logger.warn({ err: error }, 'a follower did not stop cleanly'),
    );
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      this.hasAdvanced = false;
      try {
        await this.consumeUntilCrash();
      } catch (error) {
        if (this.hasAdvanced) attempt = 0;
        const retryInMs = backoffMs(attempt, backoff, Math.random());
        this.options.logger.warn({ topic: this.options.topic, retryInMs, err: error }, 'following a topic failed');
        await pause(retryInMs, signal);
      }
    }
  }

  /** Ends without an error when stopped. */
  private async consumeUntilCrash(): Promise<void> {
    const { topic } = this.options;
    // Another group after a crash: the old one would make its new member wait until the old member's session is over.
    const groupId = `follow-${topic}-${randomUUID()}`;
    const admin = this.kafka.admin();
    const consumer = this.kafka.consumer({
      groupId,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: this.options.fetchWaitMs ?? 100,
      retry: { restartOnFailure: () => Promise.resolve(false) },
    });
    const ended = Promise.withResolvers<void>();
    const onStop = () => ended.resolve();
    this.stopping.signal.addEventListener('abort', onStop, { once: true });
    try {
      await admin.connect();
      this.behind ??= new Map(
        (await endOffsets(admin, topic))
          .filter(({ low, high }) => BigInt(high) > BigInt(low))
          .map(({ partition, high }) => [partition, BigInt(high)]),
      );
      this.reached();
      this.observe(consumer, (error) => ended.reject(error));
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (payload) => this.eachBatch(payload),
      });
      if (this.stopping.signal.aborted) return;
      await ended.promise;
    } finally {
      this.stopping.signal.removeEventListener('abort', onStop);
      await consumer.disconnect().catch(ignoreClosed);
      await admin.deleteGroups([groupId]).catch(ignoreClosed);
      await admin.disconnect().catch(ignoreClosed);
    }
  }

  private observe(consumer: Consumer, onCrash: (error: Error) => void): void {
    consumer.on(consumer.events.CRASH, ({ payload }) => onCrash(asError(payload.error)));
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      // Control records only: nothing for eachBatch, yet the end may lie behind them.
      if (payload.batchSize === 0) this.advance(payload.partition, payload.lastOffset);
    });
  }

  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const next = this.next.get(batch.partition) ?? 0n;
    for (const message of batch.messages) {
      if (!payload.isRunning() || this.stopping.signal.aborted) return;
      // A new start begins at the oldest record again.
      if (BigInt(message.offset) >= next) {
        this.options.onRecord({ ...consumedMessage(message), partition: batch.partition });
      }
    }
    await this.options.onBatch?.();
    payload.resolveOffset(batch.lastOffset());
    this.advance(batch.partition, batch.lastOffset());
    await payload.heartbeat();
  }

  private advance(partition: number, lastOffset: string): void {
    this.hasAdvanced = true;
    const next = BigInt(lastOffset) + 1n;
    if (next > (this.next.get(partition) ?? 0n)) this.next.set(partition, next);
    this.reached();
  }

  private reached(): void {
    if (!this.behind || this.isCaughtUp) return;
    for (const [partition, end] of this.behind) {
      if ((this.next.get(partition) ?? 0n) >= end) this.behind.delete(partition);
    }
    if (this.behind.size > 0) return;
    this.isCaughtUp = true;
    this.options.onCaughtUp?.();
    this.caughtUp.resolve();
  }
}

/** The connection is being given up anyway; what is left of the group expires on the broker. */
const ignoreClosed = (): void => undefined;
