import type { Leg } from '@jetton-analytics/feed';
import { defineInsert } from '@jetton-analytics/clickhouse';

/** One bucket that a batch of one partition touched. */
export type TouchedRow = readonly [
  kafkaPartition: number,
  lastOffset: string,
  jetton: string,
  minute: number,
  pool: string,
  writtenOn: string,
];

export const insertTouchedBuckets = defineInsert<TouchedRow>({
  name: 'insertTouchedBuckets',
  table: 'touched_buckets_v1',
  columns: ['kafka_partition', 'last_offset', 'jetton', 'minute', 'pool', 'written_on'],
});

/** The distinct buckets of a batch's legs. `writtenOn` is a UTC day, `YYYY-MM-DD`. */
export function touchedRows(
  partition: number,
  lastOffset: string,
  legs: readonly Leg[],
  writtenOn: string,
): TouchedRow[] {
  const rows = new Map<string, TouchedRow>();
  for (const { jetton, minute, pool } of legs) {
    const key = `${jetton}|${minute}|${pool}`;
    if (!rows.has(key)) rows.set(key, [partition, lastOffset, jetton, minute, pool, writtenOn]);
  }
  return [...rows.values()];
}
