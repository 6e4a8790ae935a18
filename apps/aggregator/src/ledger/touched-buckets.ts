import { defineInsert, RowBinaryWriter } from '@jetton-analytics/clickhouse';
import type { Leg } from '@jetton-analytics/feed';

/** The legs of one batch of one partition. */
export interface TouchingBatch {
  readonly partition: number;
  readonly lastOffset: string;
  readonly legs: readonly Leg[];
}

/** Rows as {@link touchedRows} writes them. */
export const insertTouchedBuckets = defineInsert({
  name: 'insertTouchedBuckets',
  table: 'touched_buckets_v1',
  columns: ['kafka_partition', 'last_offset', 'jetton', 'minute', 'pool', 'written_on'],
});

const rowBytesExpected = 160;
const dayMs = 86_400_000;

/** The distinct buckets of each batch as rows of {@link insertTouchedBuckets}, in RowBinary; `nowMs` is the writer's clock. */
export function touchedRows(batches: readonly TouchingBatch[], nowMs: number): Buffer {
  const writtenOn = Math.floor(nowMs / dayMs);
  const rows = new RowBinaryWriter(batches.reduce((sum, { legs }) => sum + legs.length, 0) * rowBytesExpected);
  for (const { partition, lastOffset, legs } of batches) {
    const seen = new Set<string>();
    for (const { jetton, minute, pool } of legs) {
      const key = `${minute}|${pool}|${jetton}`;
      if (seen.has(key)) continue;
      seen.add(key);
      rows.uint32(partition).int64(BigInt(lastOffset)).string(jetton).uint32(minute).string(pool).uint16(writtenOn);
    }
  }
  return rows.bytes;
}
