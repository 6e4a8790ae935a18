import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import kafkajs, { type Admin, type Consumer, type EachBatchPayload } from 'kafkajs';
import { lastValueFrom } from 'rxjs';
import { processBatch, reportGap } from './batch-loop.js';
import { type BatchLoopOptions, isProgrammingError, type KafkaBatchServerOptions } from './batch-server.options.js';
import type { ConsumedBatch } from './consumed-batch.js';
import { backoffMs, pause, withDeadline } from './deadline.js';
import { asError, FatalConsumerError } from './errors.js';
import { type Assignment, type Generation, Membership } from './generation.js';
import { startPositions } from './offsets.js';
import { type OffsetGap, type PartitionPosition, Positions } from './positions.js';

/**
 * kafkajs sends a heartbeat at the end of each fetch and batch, but not more often than this. Short, since a generation
 * starts with the first heartbeat acknowledged after a join.
 */
const heartbeatIntervalMs = 250;
const heartbeatEveryMs = 2_000;

/**
 * Nest transport that hands batches of a topic to handlers declared with `@ConsumesTopic(pattern)` and commits an offset
 * only after the handler has returned, only in the generation in which the batch was handed out. At least once: a batch,
 * or a part of it with other bounds, may come again after a failure or a rebalance.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  /** Nest reports the failures of event handlers by itself unless the transport does. */
  override readonly propagatesEventHandlerErrors = true;

  private readonly positionsOf = new Positions();
  private readonly membership: Membership;
  private readonly loopOptions: BatchLoopOptions;
  private readonly topicHandlers = new Map<string, (batch: ConsumedBatch) => Promise<void>>();
  private readonly consumer: Consumer;
  private readonly admin: Admin;
  private assigned: { readonly generation: Generation; readonly ready: Promise<void> } | undefined;
  private progressAtMs: number;
  private crashed = false;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: KafkaBatchServerOptions) {
    super();
    const sessionTimeoutMs = options.sessionTimeoutMs ?? 30_000;
    this.progressAtMs = options.nowMs();
    this.loopOptions = {
      ...options,
      sliceMessagesMax: options.sliceMessagesMax ?? 5_000,
      heartbeatEveryMs: Math.min(heartbeatEveryMs, sessionTimeoutMs / 4),
      abandonAfterMs: options.abandonAfterMs ?? 20_000,
      backoff: options.backoff ?? { initialMs: 250, maxMs: 15_000 },
      isFatal: (error) => options.isFatal?.(error) ?? isProgrammingError(error),
    };
    this.membership = new Membership(sessionTimeoutMs, () => performance.now(), {
      started: (generation) => this.generationStarted(generation),
      ended: (generation) => this.generationEnded(generation),
    });
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
    this.observe();
  }

  /** When the loop last did anything (a fetch, with or without data, a heartbeat, a batch), by the injected clock. */
  lastProgressAt(): number {
    return this.progressAtMs;
  }

  /** Next offset of each owned partition: the last durable one + 1, or where consumption starts. */
  positions(): PartitionPosition[] {
    return this.positionsOf.list();
  }

  /** Owned partitions by topic; none before the first assignment and between two. */
  ownedPartitions(): Assignment {
    return this.membership.current()?.assignment ?? {};
  }

  override listen(callback: (error?: unknown) => void): void {
    const listening = async () => {
      try {
        await this.start();
      } catch (error) {
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
    await this.consumer.subscribe({ topics: [...this.topicHandlers.keys()], fromBeginning: true });
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
        membership: this.membership,
        positions: this.positionsOf,
        options: this.loopOptions,
      });
    } catch (error) {
      this.crash(asError(error));
      this.membership.leave();
      // Without a cause: kafkajs looks for the innermost one and restarts if that says it can be retried.
      throw new kafkajs.KafkaJSNonRetriableError(asError(error).message);
    }
    this.progress();
  }

  /** The generation, once a heartbeat has confirmed it and its positions are known. */
  private async confirmedGeneration(payload: EachBatchPayload): Promise<Generation | undefined> {
    while (!this.membership.current()) {
      if (!payload.isRunning() || payload.isStale()) return undefined;
      // Throws when the group rebalances again: kafkajs then rejoins.
      await payload.heartbeat();
      if (!this.membership.current()) await pause(50);
    }
    const { assigned } = this;
    await assigned?.ready;
    return assigned?.generation.isCurrent() ? assigned.generation : undefined;
  }

  private generationStarted(generation: Generation): void {
    this.assigned = { generation, ready: this.loadPositions(generation) };
  }

  private async loadPositions(generation: Generation): Promise<void> {
    for (let attempt = 0; generation.isCurrent(); attempt += 1) {
      try {
        const { positions, gaps } = await startPositions(this.admin, this.options.groupId, generation.assignment);
        if (!generation.isCurrent()) return;
        this.positionsOf.replace(positions);
        for (const gap of gaps) this.skipGap(gap);
        this.options.onAssigned?.(generation.assignment, generation);
        this.consumer.resume(topicsOf(generation.assignment));
        return;
      } catch (error) {
        this.options.logger.warn({ attempt, err: error }, 'the committed offsets cannot be read; trying again');
        await pause(backoffMs(attempt, this.loopOptions.backoff, Math.random()), generation.signal);
      }
    }
  }

  private skipGap(gap: OffsetGap): void {
    this.consumer.seek({ topic: gap.topic, partition: gap.partition, offset: gap.to });
    reportGap(gap, this.loopOptions);
  }

  private generationEnded(generation: Generation): void {
    if (this.assigned?.generation !== generation) return;
    this.assigned = undefined;
    this.positionsOf.clear();
    this.options.onRevoked?.();
  }

  private observe(): void {
    const { consumer } = this;
    const { events } = consumer;
    consumer.on(events.GROUP_JOIN, ({ payload }) => {
      // kafkajs overwrites a committed offset that lies outside the log: nothing is fetched before it has been read.
      consumer.pause(topicsOf(payload.memberAssignment));
      this.membership.join(payload.memberId, payload.memberAssignment);
    });
    consumer.on(events.HEARTBEAT, ({ payload }) => {
      this.progress();
      this.membership.heartbeatAcknowledged(payload.memberId, payload.groupGenerationId);
    });
    consumer.on(events.FETCH, () => this.progress());
    consumer.on(events.END_BATCH_PROCESS, ({ payload }) => {
      this.progress();
      // A batch of nothing but control or aborted records never reaches eachBatch: kafkajs steps over it by itself.
      if (payload.batchSize === 0) this.stepOver(payload.topic, payload.partition, payload.lastOffset);
    });
    consumer.on(events.REBALANCING, () => this.membership.end());
    consumer.on(events.STOP, () => this.membership.leave());
    consumer.on(events.DISCONNECT, () => this.membership.leave());
    consumer.on(events.CRASH, ({ payload }) => {
      this.membership.leave();
      if (payload.restart) this.options.logger.warn({ err: payload.error }, 'the consumer crashed and starts again');
      else this.crash(payload.error);
    });
  }

  private stepOver(topic: string, partition: number, lastOffset: string): void {
    if (!this.membership.current()?.owns(topic, partition)) return;
    this.positionsOf.advance(topic, partition, lastOffset);
    this.options.onBatchDone?.({ topic, partition, nextOffset: (BigInt(lastOffset) + 1n).toString() });
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
    const timeoutMs = this.options.closeTimeoutMs ?? 20_000;
    const drop = setTimeout(() => this.membership.leave(), timeoutMs / 2);
    try {
      await withDeadline(this.consumer.disconnect(), timeoutMs, 'leaving the consumer group');
      await withDeadline(this.admin.disconnect(), timeoutMs, 'closing the admin connection');
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the consumer did not close cleanly');
    } finally {
      clearTimeout(drop);
      this.membership.leave();
    }
  }
}

const topicsOf = (assignment: Assignment): { topic: string }[] => Object.keys(assignment).map((topic) => ({ topic }));

/** Nest's default filter turns an error into `{status: 'error'}`: what it was is lost, so the only safe course is to stop. */
function rethrowKnown(error: unknown): never {
  if (error instanceof Error) throw error;
  throw new FatalConsumerError('a batch handler failed and hid its error: declare it with @ConsumesTopic');
}
