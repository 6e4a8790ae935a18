import type { ProducedRecord } from '@jetton-analytics/kafka';
import { type BucketDataset, bucketRecord, type BucketRow, type ReadAt } from './bucket-records.js';

/** Some buckets of one table. */
export interface BucketSource {
  readonly dataset: BucketDataset;
  read(): Promise<BucketRow[]>;
  /** Sum of their versions as the table holds them now, modulo 2^256. */
  versionSum(): Promise<bigint>;
}

export interface BucketPublication {
  /** Resolves once the records are acknowledged by all in-sync replicas. */
  send(dataset: BucketDataset, records: readonly ProducedRecord[]): Promise<void>;
  partitionsOf(dataset: BucketDataset): number;
  readAt(): ReadAt;
  /** Called with the number of buckets that had to be published again. */
  onAgain(dataset: BucketDataset, buckets: number): void;
}

/** More rounds than this mean that somebody writes the same buckets without an end. */
const roundsMax = 20;
const recordsPerSendMax = 2_000;
const modulus = 1n << 256n;

/**
 * Publishes every bucket of the source; then, as long as the table's versions are greater than those acknowledged, those
 * buckets again: the log keeps the last record of a key, and another writer's may have come before ours. The check is one
 * sum, since versions only rise. Must not be given up between the two, whoever owns the buckets by then.
 * Throws what the store and the producer throw, and an Error when the buckets keep changing; then all is to be repeated.
 */
export async function publishBuckets(source: BucketSource, publication: BucketPublication): Promise<number> {
  const { dataset } = source;
  const acknowledged = new Map<string, bigint>();
  for (let round = 0; round < roundsMax; round += 1) {
    const at = publication.readAt();
    const rows = await source.read();
    const due = rows.filter(({ key, version }) => version > (acknowledged.get(key) ?? -1n));
    if (round > 0) publication.onAgain(dataset, due.length);
    // Versions below what was read before: days that retention has dropped meanwhile.
    if (due.length === 0) return acknowledged.size;
    const partitions = publication.partitionsOf(dataset);
    for (let start = 0; start < due.length; start += recordsPerSendMax) {
      const chunk = due.slice(start, start + recordsPerSendMax);
      await publication.send(
        dataset,
        chunk.map((row) => bucketRecord(dataset, row, at, partitions)),
      );
    }
    for (const { key, version } of due) acknowledged.set(key, version);
    const sum = [...acknowledged.values()].reduce((total, version) => total + version, 0n) % modulus;
    if ((await source.versionSum()) === sum) return acknowledged.size;
  }
  throw new Error(`buckets of ${dataset} changed ${roundsMax} times while they were published`);
}
