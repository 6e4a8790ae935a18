import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { RollupDataset } from '@jetton-analytics/common';
import { endOffsets, type KafkaLogger, type KafkaProducer, readRecords } from '@jetton-analytics/kafka';
import { FinishedRebuilds } from '@jetton-analytics/rollups';
import type { Kafka } from 'kafkajs';
import { z } from 'zod';
import { slices } from '../inputs/slices.js';
import type { BucketDataset } from '../publication/bucket-records.js';
import { bucketRows } from '../publication/bucket-records.js';
import { coarseNamed, minutesNamed } from '../publication/bucket-rows.query.js';
import { type BucketPublication, publishBuckets } from '../publication/publish-buckets.js';
import { readNewest } from '../publication/publication-progress.js';
import type { AuditMetrics } from './audit-metrics.js';
import { type LastRecord, lastRecords, type NamedBucket, namedBucketOf } from './last-records.js';
import { statisticsVersions, tableVersions } from './table-versions.query.js';

export interface TopicAuditOptions {
  readonly kafka: Kafka;
  readonly tradesTopic: string;
  /** Where it remembers how far it has looked, beside what the publication remembers there. */
  readonly progressTopic: string;
  topicOf(dataset: RollupDataset): string;
  readonly producer: Pick<KafkaProducer, 'send'>;
  readonly store: ClickHouseReader;
  readonly publication: BucketPublication;
  /** Publishes the newest row of jettons once more; resolves once it is acknowledged. */
  readonly publishStatistics: (jettons: readonly string[]) => Promise<void>;
  /** How long a table may be ahead of its topic. */
  readonly settleMs: (dataset: RollupDataset) => number;
  readonly metrics: Pick<AuditMetrics, 'recordsRead' | 'republished'>;
  readonly logger: KafkaLogger;
  /** Monotonic, ms. */
  readonly elapsedMs: () => number;
}

/** How far the topics are audited: per topic and partition the next offset; and the rebuilds that had finished then. */
const AuditedUpTo = z.object({
  positions: z.record(z.string(), z.record(z.string(), z.string().regex(/^\d+$/))),
  rebuilds: z.int(),
});

const keysPerStatementMax = 1_000;

/**
 * Reads the rollup topics to their ends, again and again, and publishes a key once more whose last record has been behind
 * its table for a while: that is what a writer leaves that is killed between an outdated record and its check. It must
 * come round faster than `min.compaction.lag.ms`, so that the cleaner never has only the outdated record left. Where it is
 * killed itself, the next leader goes on where it was; after a rebuild it begins at the oldest records.
 */
export class TopicAudit {
  readonly #next = new Map<string, Map<number, bigint>>();
  readonly #behind = new Map<RollupDataset, Map<string, LastRecord & { readonly sinceMs: number }>>();
  readonly #finishedRebuilds: FinishedRebuilds;
  #rebuilds: number | undefined;
  #written = '';

  constructor(private readonly options: TopicAuditOptions) {
    this.#finishedRebuilds = new FinishedRebuilds(options.store);
  }

  /** One round over all topics. Throws what Kafka and the store throw; `assertLeading` once somebody else leads. */
  async round(assertLeading: () => void): Promise<void> {
    const rebuilds = await this.#finishedRebuilds.count();
    if (this.#rebuilds === undefined) await this.#resume(rebuilds);
    if (this.#rebuilds !== rebuilds) this.#next.clear();
    this.#rebuilds = rebuilds;
    for (const dataset of RollupDataset.options) {
      await this.#read(dataset, assertLeading);
      await this.#repair(dataset, assertLeading);
    }
    await this.#remember();
  }

  get #key(): string {
    return `audit|${this.options.tradesTopic}`;
  }

  async #resume(rebuilds: number): Promise<void> {
    const { kafka, progressTopic, logger } = this.options;
    const known = await readNewest(kafka, progressTopic, this.#key, logger);
    this.#rebuilds = rebuilds;
    if (known === undefined) return;
    const { positions, rebuilds: seen } = AuditedUpTo.parse(JSON.parse(known));
    this.#rebuilds = seen;
    for (const [topic, offsets] of Object.entries(positions)) {
      this.#next.set(topic, new Map(Object.entries(offsets).map(([one, offset]) => [Number(one), BigInt(offset)])));
    }
  }

  async #remember(): Promise<void> {
    const positions = Object.fromEntries(
      RollupDataset.options.map((dataset) => {
        const topic = this.options.topicOf(dataset);
        const waiting = [...(this.#behind.get(dataset)?.values() ?? [])];
        const offsets = [...(this.#next.get(topic) ?? [])].map(([partition, next]) => {
          // What is behind must be found again by a successor.
          const least = waiting
            .filter((record) => record.partition === partition)
            .reduce((found, { offset }) => (offset < found ? offset : found), next);
          return [String(partition), least.toString()];
        });
        return [topic, Object.fromEntries(offsets) as Record<string, string>];
      }),
    );
    const value = JSON.stringify({ positions, rebuilds: this.#rebuilds ?? 0 });
    if (value === this.#written) return;
    await this.options.producer.send(this.options.progressTopic, [{ key: this.#key, value }]);
    this.#written = value;
  }

  async #read(dataset: RollupDataset, assertLeading: () => void): Promise<void> {
    const { kafka, metrics } = this.options;
    const topic = this.options.topicOf(dataset);
    const next = this.#next.get(topic) ?? new Map<number, bigint>();
    this.#next.set(topic, next);
    for (const { partition, low, high } of await this.#ends(topic)) {
      const known = next.get(partition) ?? 0n;
      // A topic that was made anew begins again.
      let from = known < BigInt(low) || known > BigInt(high) ? BigInt(low) : known;
      while (from < BigInt(high)) {
        assertLeading();
        const read = await readRecords(kafka, { topic, partition, from: from.toString(), to: high });
        await this.#check(dataset, [...lastRecords(partition, read.records).values()]);
        metrics.recordsRead(dataset, read.records.length);
        from = BigInt(read.nextOffset);
        next.set(partition, from);
      }
      next.set(partition, from);
    }
  }

  async #ends(topic: string) {
    const admin = this.options.kafka.admin();
    await admin.connect();
    try {
      return await endOffsets(admin, topic);
    } finally {
      await admin.disconnect();
    }
  }

  /** Remembers which of these are behind their table; a later record of a key takes the place of an earlier one. */
  async #check(dataset: RollupDataset, records: readonly LastRecord[]): Promise<void> {
    const behind = this.#behind.get(dataset) ?? new Map<string, LastRecord & { readonly sinceMs: number }>();
    this.#behind.set(dataset, behind);
    for (const part of slices(records, keysPerStatementMax)) {
      const versions = await this.#versionsOf(
        dataset,
        part.map(({ key }) => key),
      );
      const sinceMs = this.options.elapsedMs();
      for (const record of part) {
        if ((versions.get(record.key) ?? 0n) > record.revision) behind.set(record.key, { ...record, sinceMs });
        else behind.delete(record.key);
      }
    }
  }

  async #versionsOf(dataset: RollupDataset, keys: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    const { store } = this.options;
    const rows =
      dataset === 'statistics'
        ? await store.query(statisticsVersions, { jettons: jettonsOf(keys) })
        : await store.query(tableVersions[dataset], paramsOf(dataset, keys));
    return new Map(rows.map((row) => [row.row_key, row.row_version]));
  }

  async #repair(dataset: RollupDataset, assertLeading: () => void): Promise<void> {
    const { metrics, logger, elapsedMs, settleMs } = this.options;
    const behind = this.#behind.get(dataset);
    const latestMs = elapsedMs() - settleMs(dataset);
    const waiting = [...(behind ?? [])].flatMap(([key, { sinceMs }]) => (sinceMs <= latestMs ? [key] : []));
    for (const keys of slices(waiting, keysPerStatementMax)) {
      assertLeading();
      await this.#publish(dataset, keys);
      metrics.republished(dataset, keys.length);
      logger.warn({ dataset, keys: keys.length, first: keys[0] }, 'records behind their table are published again');
      // What was published now is read with the next round, and compared once more.
      for (const key of keys) behind?.delete(key);
    }
  }

  async #publish(dataset: RollupDataset, keys: readonly string[]): Promise<void> {
    const { store, publication, publishStatistics } = this.options;
    if (dataset === 'statistics') return publishStatistics(jettonsOf(keys));
    const queries = {
      jettonMinute: minutesNamed.jetton,
      poolMinute: minutesNamed.pool,
      jettonHour: coarseNamed.hour,
      jettonDay: coarseNamed.day,
    }[dataset];
    const params = paramsOf(dataset, keys);
    await publishBuckets(
      {
        dataset,
        read: async () => bucketRows(dataset, await store.binary(queries.rows, params)),
        versionSum: async () => (await store.query(queries.versions, params))[0]?.version_sum ?? 0n,
      },
      publication,
    );
  }
}

const jettonsOf = (keys: readonly string[]): string[] => [
  ...new Set(keys.map((key) => key.slice(0, key.indexOf('|')))),
];

/** A bucket that no table has stands for keys of another form, so that the arrays are never empty. */
const none: NamedBucket = { jetton: '', pool: '', start: 0 };

function paramsOf(dataset: BucketDataset, keys: readonly string[]) {
  const named = keys.map((key) => namedBucketOf(dataset, key) ?? none);
  return {
    minutes: named.map(({ start }) => start),
    jettons: named.map(({ jetton }) => jetton),
    pools: named.map(({ pool }) => pool),
  };
}
