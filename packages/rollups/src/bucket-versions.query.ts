import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

// Versions are added modulo 2^256; they only ever rise, so equal sums over an hour's keys mean equal versions of each.
function versions(table: 'jetton_trades' | 'pool_trades') {
  const part = (grain: string, start: string, bucket: string) => `
    SELECT '${grain}' AS grain, toUnixTimestamp(${bucket}) AS bucket_s, sum(version) AS version_sum,
           toUInt32(count()) AS row_count
    FROM ${table}_per_${grain}_v1 FINAL
    WHERE ${start} >= {from: DateTime('UTC')} AND ${start} < {to: DateTime('UTC')}
    GROUP BY bucket_s`;
  return defineQuery({
    name: `${table}Versions`,
    sql: `${part('minute', 'minute', 'toStartOfHour(minute)')}
          UNION ALL ${part('hour', 'hour', 'hour')}
          UNION ALL ${part('day', 'day', 'day')}
          SETTINGS do_not_merge_across_partitions_select_final = 1`,
    params: z.object({ from: z.int(), to: z.int() }),
    row: z.object({
      grain: z.enum(['minute', 'hour', 'day']),
      bucket_s: z.int(),
      version_sum: z.string(),
      row_count: z.int(),
    }),
  });
}

/**
 * Sums of versions per hour of the minute table, per hour and per day of the coarser ones, for buckets that start in
 * [from, to): by comparing them one knows which hours and days hold what their minutes hold.
 */
export const bucketVersions = { jetton: versions('jetton_trades'), pool: versions('pool_trades') };
export interface BucketVersion {
  readonly grain: 'minute' | 'hour' | 'day';
  readonly bucket_s: number;
  readonly version_sum: string;
  /** Rows of the bucket in the table of its grain, minutes by their hour. */
  readonly row_count: number;
}
