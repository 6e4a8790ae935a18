import type { RollupDataset } from '@jetton-analytics/common';
import type { ConsumedMessage } from '@jetton-analytics/kafka';

/** The last record of a key, as far as a topic was read. */
export interface LastRecord {
  readonly key: string;
  readonly revision: bigint;
  readonly partition: number;
  readonly offset: bigint;
}

// Taken from the text: parsing the whole record would be most of the work.
const revisionOf = /"revision":"(\d{1,78})"/;

/** The last record of each key among some of one partition, in the order of the log. Records of no key or revision are left out. */
export function lastRecords(partition: number, records: readonly ConsumedMessage[]): Map<string, LastRecord> {
  const last = new Map<string, LastRecord>();
  for (const { key, value, offset } of records) {
    const revision = revisionOf.exec(value?.toString() ?? '')?.[1];
    if (key === null || revision === undefined) continue;
    const text = key.toString();
    last.set(text, { key: text, revision: BigInt(revision), partition, offset: BigInt(offset) });
  }
  return last;
}

/** What a key of a bucket's dataset names. */
export interface NamedBucket {
  readonly jetton: string;
  /** '' of a jetton's bucket, and for trades without a pool. */
  readonly pool: string;
  /** Unix seconds. */
  readonly start: number;
}

const keyForm = /^([^|]+)(?:\|([^|]*))?\|(minute|hour|day)\|(\d{1,10})$/;

/** Reads the key of a bucket; undefined where it is none of the dataset. */
export function namedBucketOf(dataset: Exclude<RollupDataset, 'statistics'>, key: string): NamedBucket | undefined {
  const [, jetton, pool, grain, start] = keyForm.exec(key) ?? [];
  const wanted = { jettonMinute: 'minute', poolMinute: 'minute', jettonHour: 'hour', jettonDay: 'day' }[dataset];
  if (jetton === undefined || grain !== wanted || (pool !== undefined) !== (dataset === 'poolMinute')) return undefined;
  return { jetton, pool: pool ?? '', start: Number(start) };
}
