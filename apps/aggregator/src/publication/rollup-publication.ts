import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { publicationTopic, type PublishedUpTo, RollupDataset, rollupTopicOf } from '@jetton-analytics/common';
import { createProducer, type GenerationToken, type KafkaLogger, type KafkaProducer } from '@jetton-analytics/kafka';
import type { Kafka } from 'kafkajs';
import type { Registry } from 'prom-client';
import type { AuditMetrics } from '../audit/audit-metrics.js';
import { TopicAudit } from '../audit/topic-audit.js';
import { LeaderLoop } from './leader-loop.js';
import { readPublishedUpTo, writePublishedUpTo } from './publication-progress.js';
import { PublicationMetrics } from './publication-metrics.js';
import type { BucketPublication } from './publish-buckets.js';
import { publishCoarse, type Reached } from './publish-coarse.js';
import { PublishMinutes, type TouchedMinutes } from './publish-minutes.js';
import { PublishStatistics } from './publish-statistics.js';

export interface RollupPublicationOptions {
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  readonly tradesTopic: string;
  /** Least time between two records of an hour or day that is not over. */
  readonly coarsePeriodMs: number;
  /** Reads the minutes of batches. */
  readonly minuteStore: ClickHouseReader;
  /** Reads what the leader publishes. */
  readonly leaderStore: ClickHouseReader;
  readonly registry: Registry;
  readonly auditMetrics: AuditMetrics;
  readonly logger: KafkaLogger;
  /** T, Unix seconds; undefined: not known yet. */
  asOf(): number | undefined;
  /** Per partition of the trades topic, as far as known, the next offset that is not in the minute rollups. */
  positions(): ReadonlyMap<number, string>;
  /** The injected clock, ms since 1970. */
  nowMs(): number;
}

const statisticsPeriodMs = 500;
const isCoarse = (dataset: RollupDataset) => dataset === 'jettonHour' || dataset === 'jettonDay';
/** Far below the topics' min.compaction.lag.ms, see TopicAudit. */
const auditPeriodMs = 10_000;
/** How long a record may be on its way. */
const auditSettleMs = 10_000;

/**
 * The rollup topics of one aggregator: minutes by whoever consumed their trades, before the offsets are committed; hours,
 * days and statistics by the leader. What the leader has published is remembered in a topic, so that a crash loses nothing.
 */
export class RollupPublication {
  readonly #producer: KafkaProducer;
  readonly #partitions = new Map<RollupDataset, number>();
  readonly #metrics: PublicationMetrics;
  readonly #minutes: PublishMinutes;
  readonly #buckets: BucketPublication;
  #loops: Readonly<Record<'coarse' | 'statistics' | 'audit', LeaderLoop>> | undefined;

  constructor(private readonly options: RollupPublicationOptions) {
    this.#producer = createProducer(options.kafka);
    this.#metrics = new PublicationMetrics(options.registry);
    this.#buckets = {
      send: (dataset, records) => this.#send(dataset, records),
      partitionsOf: (dataset) => this.#partitionsOf(dataset),
      readAt: () => ({ nowMs: options.nowMs(), asOf: options.asOf() }),
      onAgain: (dataset, buckets) => this.#metrics.again(dataset, buckets),
    };
    this.#minutes = new PublishMinutes(options.minuteStore, this.#buckets);
  }

  /** Throws where a topic is missing: they are made by a step of their own, so that their configs are right. */
  async connect(): Promise<void> {
    const { kafka, topicPrefix } = this.options;
    const names = new Map(RollupDataset.options.map((dataset) => [rollupTopicOf(dataset, topicPrefix), dataset]));
    const admin = kafka.admin();
    await admin.connect();
    try {
      const existing = new Set(await admin.listTopics());
      const missing = [...names.keys(), this.#progressTopic].filter((name) => !existing.has(name));
      if (missing.length > 0) {
        throw new Error(
          `no such topics: ${missing.join(', ')}; make them with the topics step, or set ROLLUP_TOPICS=off`,
        );
      }
      const { topics } = await admin.fetchTopicMetadata({ topics: [...names.keys()] });
      for (const { name, partitions } of topics) {
        const dataset = names.get(name);
        if (dataset !== undefined) this.#partitions.set(dataset, partitions.length);
      }
    } finally {
      await admin.disconnect();
    }
    await this.#producer.connect();
  }

  /** To be awaited between the acknowledgement of a batch's minute rollups and the commit of its offset. */
  async publishMinutes(batch: TouchedMinutes): Promise<void> {
    try {
      await this.#minutes.publish(batch);
    } catch (error) {
      this.#metrics.failed('jettonMinute');
      throw error;
    }
  }

  /** This process leads from now on. */
  lead(generation: GenerationToken): void {
    void this.resign();
    const { logger, leaderStore } = this.options;
    let published: PublishedUpTo | undefined;
    const statistics = new PublishStatistics(leaderStore, {
      send: (records) => this.#send('statistics', records),
      partitions: () => this.#partitionsOf('statistics'),
      nowMs: () => this.options.nowMs(),
    });
    const audit = this.#audit(statistics);
    const onError = (dataset: RollupDataset) => (error: unknown) => {
      this.#metrics.failed(dataset);
      logger.warn({ err: error, dataset }, 'a publication failed; trying again');
    };
    const assertLeading = () => generation.assertCurrent();
    this.#loops = {
      coarse: new LeaderLoop(
        {
          periodMs: this.options.coarsePeriodMs,
          isPeriodic: true,
          work: async (assert) => {
            const reached = this.#reached();
            if (reached === undefined) return;
            published ??= await this.#publishedUpTo(reached.asOf);
            assert();
            published = await publishCoarse(leaderStore, this.#buckets, published, reached, assert);
            await writePublishedUpTo(this.#producer, this.#progressTopic, published);
          },
          onError: onError('jettonHour'),
        },
        assertLeading,
      ),
      audit: new LeaderLoop(
        {
          periodMs: auditPeriodMs,
          isPeriodic: true,
          work: (assert) => audit.round(assert),
          onError: (error) => {
            this.options.auditMetrics.failed();
            logger.warn({ err: error }, 'the rollup topics could not be audited; trying again');
          },
        },
        assertLeading,
      ),
      statistics: new LeaderLoop(
        {
          periodMs: statisticsPeriodMs,
          isPeriodic: false,
          work: async (assert) => void (await statistics.publish(assert)),
          onError: onError('statistics'),
        },
        assertLeading,
      ),
    };
  }

  /** The leader has published a snapshot. */
  snapshotPublished(): void {
    this.#loops?.statistics.wake();
  }

  /** This process leads no more. Resolves when what is under way is done. */
  async resign(): Promise<void> {
    const loops = this.#loops;
    this.#loops = undefined;
    await Promise.all([loops?.coarse.stop(), loops?.statistics.stop(), loops?.audit.stop()]);
  }

  async close(): Promise<void> {
    await this.resign();
    await this.#producer.disconnect();
  }

  #audit(statistics: PublishStatistics): TopicAudit {
    const { kafka, tradesTopic, leaderStore, auditMetrics, logger, coarsePeriodMs, topicPrefix } = this.options;
    return new TopicAudit({
      kafka,
      tradesTopic,
      progressTopic: this.#progressTopic,
      topicOf: (dataset) => rollupTopicOf(dataset, topicPrefix),
      producer: this.#producer,
      store: leaderStore,
      publication: this.#buckets,
      publishStatistics: (jettons) => statistics.publishAgain(jettons),
      settleMs: (dataset) => auditSettleMs + (isCoarse(dataset) ? 2 * coarsePeriodMs : 0),
      metrics: auditMetrics,
      logger,
      elapsedMs: () => performance.now(),
    });
  }

  get #progressTopic(): string {
    return `${this.options.topicPrefix}${publicationTopic}`;
  }

  #reached(): Reached | undefined {
    const asOf = this.options.asOf();
    return asOf === undefined ? undefined : { asOf, positions: this.options.positions() };
  }

  /** At the very first start everything that was touched is published, and what ended before is not told as news. */
  async #publishedUpTo(asOf: number): Promise<PublishedUpTo> {
    const { kafka, tradesTopic, logger } = this.options;
    const known = await readPublishedUpTo(kafka, this.#progressTopic, tradesTopic, logger);
    return known ?? { tradesTopic, positions: {}, closedUpTo: asOf };
  }

  #partitionsOf(dataset: RollupDataset): number {
    return this.#partitions.get(dataset) ?? 1;
  }

  async #send(dataset: RollupDataset, records: Parameters<KafkaProducer['send']>[1]): Promise<void> {
    await this.#producer.send(rollupTopicOf(dataset, this.options.topicPrefix), records);
    this.#metrics.sent(dataset, records.length);
  }
}
