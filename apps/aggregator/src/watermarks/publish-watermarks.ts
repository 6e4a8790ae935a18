import { endOffsets, type KafkaLogger, type KafkaProducer } from '@jetton-analytics/kafka';
import type { PartitionWatermark } from '@jetton-analytics/common';
import type { Admin } from 'kafkajs';
import { type BatchProgress, PartitionProgress, type PendingInstants } from './partition-progress.js';

export interface PublishOptions {
  readonly producer: Pick<KafkaProducer, 'send'>;
  /** Of the cluster that holds the trades topic; only asks for offsets. */
  readonly sourceAdmin: Pick<Admin, 'fetchTopicOffsets'>;
  readonly tradesTopic: string;
  readonly watermarkTopic: string;
  /** CLOCK=event: T is the greatest event time, which must not be forgotten with its batch's offset committed. */
  readonly isEventTimeT: boolean;
  readonly logger: KafkaLogger;
  /** The newest watermark of a partition, by whoever owned it before. */
  inherited(partition: number): PartitionWatermark | undefined;
  /** The injected clock, ms since 1970: only decides when to ask, never what is written. */
  nowMs(): number;
}

const periodMs = 1_000;
// Just after a whole second: T is a floor, so an instant right behind a second loses least of it.
const afterSecondMs = 10;

/**
 * Publishes the watermarks of the owned partitions, at least once a second: a record is appended, the append time the
 * broker acknowledges is the instant, the end offset is asked for after it, and as soon as everything before that offset
 * is durable the partition counts as consumed up to the instant.
 */
export class PublishWatermarks {
  readonly #progress = new Map<number, PartitionProgress>();
  /** Gaps told of partitions before they are assigned. */
  readonly #gaps = new Map<number, { readonly from: string; readonly to: string }[]>();
  #timer: NodeJS.Timeout | undefined;
  #ticking = false;
  /** Those whose greatest event time is in no record yet. */
  readonly #unpublished = new WeakSet<PartitionProgress>();
  /** One after the other, so that the last record is the newest. */
  #publishing: Promise<unknown> = Promise.resolve();
  #isQueued = false;
  #stopped = false;
  #measured = Promise.withResolvers<void>();

  constructor(private readonly options: PublishOptions) {}

  start(): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#tick(), this.#untilNextMs());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#publishing;
  }

  assigned(positions: readonly { readonly partition: number; readonly nextOffset: string }[]): void {
    this.#progress.clear();
    for (const { partition, nextOffset } of positions) {
      const inherited = this.options.inherited(partition);
      const progress = new PartitionProgress(this.options.tradesTopic, partition, nextOffset, inherited);
      for (const { from, to } of this.#gaps.get(partition) ?? []) progress.gap(from, to);
      this.#progress.set(partition, progress);
    }
    this.#gaps.clear();
  }

  revoked(): void {
    this.#progress.clear();
  }

  /**
   * Resolves when the end offsets of the next second are known, or could not be asked for: whatever is fetched after that
   * holds all that T waits for. Never, while no partition is owned.
   */
  get measured(): Promise<void> {
    return this.#measured.promise;
  }

  /** Of the owned partitions with records before the end offsets known last: up to which instants these would bring them. */
  get pending(): readonly PendingInstants[] {
    return [...this.#progress.values()].flatMap(({ pending }) => pending ?? []);
  }

  /** Records of the owned partitions that are not durable yet; 0 where none is owned. */
  get lag(): bigint {
    return [...this.#progress.values()].reduce((sum, progress) => sum + progress.lag, 0n);
  }

  /** The progress of an owned partition. */
  of(partition: number): PartitionProgress | undefined {
    return this.#progress.get(partition);
  }

  /** Offsets that are gone; those found at the start of consumption are told before the partition is assigned. */
  gap(partition: number, from: string, to: string): void {
    const progress = this.#progress.get(partition);
    if (progress !== undefined) progress.gap(from, to);
    else this.#gaps.set(partition, [...(this.#gaps.get(partition) ?? []), { from, to }]);
  }

  /** To be awaited before the batch's offset is committed. Throws what the producer throws. */
  async batchDurable(partition: number, batch: BatchProgress): Promise<void> {
    const progress = this.#progress.get(partition);
    if (progress === undefined) return;
    const isLater = progress.batchDurable(batch);
    if (!this.options.isEventTimeT) return;
    if (isLater) this.#unpublished.add(progress);
    if (!this.#unpublished.has(progress)) return;
    await this.#publish(() => [progress]);
    this.#unpublished.delete(progress);
  }

  batchDone(partition: number, nextOffset: string): void {
    if (this.#progress.get(partition)?.batchDone(nextOffset)) this.#publishSoon();
  }

  #untilNextMs(): number {
    const now = this.options.nowMs();
    return periodMs - (now % periodMs) + afterSecondMs;
  }

  async #tick(): Promise<void> {
    if (!this.#ticking && this.#progress.size > 0) {
      this.#ticking = true;
      try {
        await this.#measure();
      } catch (error) {
        this.options.logger.warn(
          { err: error },
          'the watermarks could not be written; trying again with the next second',
        );
        this.#tellMeasured();
      } finally {
        this.#ticking = false;
      }
    }
    this.start();
  }

  async #measure(): Promise<void> {
    const owned = [...this.#progress.values()];
    // A backlog has to be known as one from the first record on: snapshots in the middle of it are in vain.
    if (owned.some(({ isEndKnown }) => !isEndKnown)) {
      for (const { partition, high } of await this.#ends()) this.#progress.get(partition)?.learnEnd(high);
    }
    const instantMs = await this.#publish(() => owned);
    if (instantMs === null)
      throw new Error(`${this.options.watermarkTopic} must have message.timestamp.type=LogAppendTime`);
    let reached = false;
    for (const { partition, high } of await this.#ends()) {
      const progress = this.#progress.get(partition);
      if (progress !== undefined && owned.includes(progress) && progress.endOffsetSeen(instantMs, high)) reached = true;
    }
    this.#tellMeasured();
    if (reached) await this.#publish(() => [...this.#progress.values()]);
  }

  #tellMeasured(): void {
    this.#measured.resolve();
    this.#measured = Promise.withResolvers();
  }

  #ends() {
    return endOffsets(this.options.sourceAdmin as Admin, this.options.tradesTopic);
  }

  /** Publishes once the publications in hand are done; several calls while they last make one. */
  #publishSoon(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    void this.#publishQueued();
  }

  async #publishQueued(): Promise<void> {
    try {
      await this.#publish(() => {
        this.#isQueued = false;
        return this.#stopped ? [] : [...this.#progress.values()];
      });
    } catch (error) {
      this.options.logger.warn({ err: error }, 'a watermark could not be written; the next second brings another');
    }
  }

  /** Resolves with the broker's append time, ms. */
  #publish(select: () => readonly PartitionProgress[]): Promise<number | null> {
    const sending = this.#sendAfter(this.#publishing, select);
    this.#publishing = Promise.allSettled([sending]);
    return sending;
  }

  async #sendAfter(former: Promise<unknown>, select: () => readonly PartitionProgress[]): Promise<number | null> {
    await former;
    const records = select().map((one) => ({
      key: `${one.topic}|${one.partition}`,
      value: JSON.stringify(one.watermark),
    }));
    if (records.length === 0) return null;
    const acks = await this.options.producer.send(this.options.watermarkTopic, records);
    return acks.at(-1)?.logAppendTimeMs ?? null;
  }
}
