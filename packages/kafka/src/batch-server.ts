import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import kafkajs, { type Admin, type Consumer, type EachBatchPayload } from 'kafkajs';
import { lastValueFrom } from 'rxjs';
import { processBatch } from './batch-loop.js';
import { type BatchLoopOptions, isProgrammingError, type KafkaBatchServerOptions } from './batch-server.options.js';
import type { ConsumedBatch } from './consumed-batch.js';
import { pause, withDeadline } from './deadline.js';
import { asError, FatalConsumerError, fatalCauseOf } from './errors.js';
import type { Assignment, Generation } from './generation.js';
import { Ownership } from './ownership.js';
import type { PartitionPosition } from './positions.js';
import { dismissMember, dismissPredecessors } from './predecessors.js';
import { SliceSize } from './slice-size.js';

/**
 * kafkajs sends a heartbeat at the end of each fetch and batch, but not more often than this. Short, since a generation
 * starts with the first heartbeat acknowledged after a join.
 */
const heartbeatIntervalMs = 250;
const heartbeatEveryMs = 2_000;
/** For leaving the group beside a batch that does not end. */
const leaveMsMax = 1_500;

/**
 * Nest transport that hands batches of a topic to handlers declared with `@ConsumesTopic(pattern)` and commits an offset
 * only after the handler has returned, only in the generation in which the batch was handed out. At least once: a batch,
 * or a part of it with other bounds, may come again after a failure or a rebalance.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  /** Nest reports the failures of event handlers by itself unless the transport does. */
  override readonly propagatesEventHandlerErrors = true;

  private readonly loopOptions: BatchLoopOptions;
  private readonly topicHandlers = new Map<string, (batch: ConsumedBatch) => Promise<void>>();
  private readonly consumer: Consumer;
  private readonly admin: Admin;
  private readonly ownership: Ownership;
  private readonly sliceSize: SliceSize;
  private readonly attempts = new Map<string, number>();
  private progressAtMs: number;
  private crashed = false;
  private readonly closes = new AbortController();
  private closing: Promise<void> | undefined;

  constructor(private readonly options: KafkaBatchServerOptions) {
    super();
    const sessionTimeoutMs = options.sessionTimeoutMs ?? 15_000;
    this.progressAtMs = options.nowMs();
    this.loopOptions = {
      ...options,
      heartbeatEveryMs: Math.min(heartbeatEveryMs, sessionTimeoutMs / 4),
      abandonAfterMs: options.abandonAfterMs ?? 20_000,
      backoff: options.backoff ?? { initialMs: 250, maxMs: 15_000 },
      isFatal: (error) => options.isFatal?.(error) ?? isProgrammingError(error),
    };
    this.sliceSize = new SliceSize({ max: options.sliceMessagesMax ?? 5_000, targetMs: sessionTimeoutMs });
    this.admin = options.kafka.admin();
    this.consumer = options.kafka.consumer({
      groupId: options.groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: options.rebalanceTimeoutMs ?? 60_000,
      heartbeatInterval: Math.min(heartbeatIntervalMs, sessionTimeoutMs / 8),
      maxBytesPerPartition: options.fetchPartitionBytesMax ?? 4 * 1024 * 1024,
      maxBytes: options.fetchBytesMax ?? 16 * 1024 * 1024,
      maxWaitTimeInMs: options.fetchWaitMs ?? 250,
      retry: { restartOnFailure: () => Promise.resolve(!this.crashed && !this.closing) },
    });
    this.ownership = new Ownership(this.consumer, this.admin, options.groupId, sessionTimeoutMs, this.loopOptions);
    this.observe();
  }

  /** When the loop last did anything (a fetch, with or without data, a heartbeat, a batch), by the injected clock. */
  lastProgressAt(): number {
    return this.progressAtMs;
  }

  /** Next offset of each owned partition: the last durable one + 1, or where consumption starts. */
  positions(): PartitionPosition[] {
    return this.ownership.positions.list();
  }

  /** Owned partitions by topic; none before the first assignment and between two. */
  ownedPartitions(): Assignment {
    return this.ownership.owned();
  }

  override listen(callback: (error?: unknown) => void): void {
    const listening = async () => {
      try {
        await this.start();
      } catch (error) {
        await this.close();
        callback(error);
        return;
      }
      callback();
    };
    void listening();
  }

  /** Lets the batch in hand finish for half of the time, drops it then, and leaves the group. Never throws. */
  override close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  override on(): never {
    throw new Error('KafkaBatchServer tells its events through the callbacks of its options');
  }

  override unwrap(): never {
    throw new Error('KafkaBatchServer keeps its consumer to itself: the offsets are its own affair');
  }

  private async start(): Promise<void> {
    for (const [pattern, handler] of this.messageHandlers) {
      this.topicHandlers.set(this.options.topicOf?.(pattern) ?? pattern, async (batch) => {
        const result: unknown = await handler(batch, undefined).catch(rethrowKnown);
        await lastValueFrom(this.transformToObservable(result), { defaultValue: undefined }).catch(rethrowKnown);
      });
    }
    await Promise.all([this.admin.connect(), this.consumer.connect()]);
    const topics = [...this.topicHandlers.keys()];
    try {
      await this.consumer.subscribe({ topics, fromBeginning: true });
    } catch (error) {
      throw new Error(`cannot read ${topics.join(', ')}: ${asError(error).message}`, { cause: error });
    }
    const { kafka, groupId, ownClientId, logger } = this.options;
    if (ownClientId !== undefined) {
      await dismissPredecessors({ kafka, admin: this.admin, groupId, clientId: ownClientId, logger });
    }
    await this.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.options.partitionsConsumedConcurrently ?? 8,
      eachBatch: (payload) => this.eachBatch(payload),
    });
  }

  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { topic, partition } = payload.batch;
    const handler = this.topicHandlers.get(topic);
    const generation = await this.confirmedGeneration(payload);
    if (!handler || !generation?.owns(topic, partition)) return;
    try {
      await processBatch(payload, {
        handler,
        generation,
        membership: this.ownership.membership,
        positions: this.ownership.positions,
        attempts: this.attempts,
        sliceSize: this.sliceSize,
        options: this.loopOptions,
        closing: this.closes.signal,
      });
    } catch (error) {
      this.crash(asError(error));
      this.ownership.membership.leave();
      // Without a cause: kafkajs looks for the innermost one and restarts if that says it can be retried.
      throw new kafkajs.KafkaJSNonRetriableError(asError(error).message);
    }
    this.progress();
  }

  /** The generation, once a heartbeat has confirmed it and its positions are known. */
  private async confirmedGeneration(payload: EachBatchPayload): Promise<Generation | undefined> {
    const { membership } = this.ownership;
    while (!membership.current()) {
      if (!payload.isRunning() || payload.isStale()) return undefined;
      // Throws when the group rebalances again: kafkajs then rejoins.
      await payload.heartbeat();
      if (!membership.current()) await pause(heartbeatIntervalMs);
    }
    await this.ownership.ready;
    return this.ownership.confirmed();
  }

  private observe(): void {
    const { consumer } = this;
    const { events } = consumer;
    for (const step of [events.HEARTBEAT, events.FETCH, events.END_BATCH_PROCESS] as const) {
      consumer.on(step, () => this.progress());
    }
    consumer.on(events.CRASH, ({ payload }) => {
      if (payload.restart) this.options.logger.warn({ err: payload.error }, 'the consumer crashed and starts again');
      else this.crash(fatalCauseOf(payload.error) ?? payload.error);
    });
  }

  private progress(): void {
    this.progressAtMs = this.options.nowMs();
  }

  private crash(error: Error): void {
    if (this.crashed || this.closing) return;
    this.crashed = true;
    this.options.logger.error({ err: error }, 'the consumer has stopped');
    this.options.onCrash(error);
  }

  private async stop(): Promise<void> {
    this.closes.abort();
    const timeoutMs = this.options.closeTimeoutMs ?? 20_000;
    const drop = setTimeout(() => this.ownership.membership.leave(), timeoutMs / 2);
    try {
      await withDeadline(this.consumer.disconnect(), timeoutMs, 'leaving the consumer group');
      await withDeadline(this.ownership.ready, timeoutMs, 'reading the committed offsets');
      await withDeadline(this.admin.disconnect(), timeoutMs, 'closing the admin connection');
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the consumer did not close cleanly');
      this.ownership.membership.leave();
      await this.leaveAllTheSame();
    } finally {
      clearTimeout(drop);
      this.ownership.membership.leave();
    }
  }

  /** kafkajs leaves only when the batch in hand has ended. */
  private async leaveAllTheSame(): Promise<void> {
    const { kafka, groupId, logger } = this.options;
    const { memberId } = this.ownership.membership;
    if (memberId === undefined) return;
    try {
      await withDeadline(dismissMember(kafka, groupId, memberId), leaveMsMax, 'leaving the group');
    } catch (error) {
      logger.warn({ err: error, groupId }, 'this member stays in the group until its session ends');
    }
  }
}

/** Nest's default filter turns an error into `{status: 'error'}`: what it was is lost, so the only safe course is to stop. */
function rethrowKnown(error: unknown): never {
  if (error instanceof Error) throw error;
  throw new FatalConsumerError('a batch handler failed and hid its error: declare it with @ConsumesTopic');
}
