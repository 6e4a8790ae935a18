import { defineCommand } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { figureColumns, mergedFigures } from './bucket-figures.js';

const params = z.object({ buckets: z.array(z.int()).min(1) });

// An hour's version is the plain sum of its minutes' full versions, a day's of its hours', epochs included.
function rollUp(name: string, kind: 'jetton' | 'pool', from: 'minute' | 'hour', to: 'hour' | 'day') {
  const table = `${kind}_trades`;
  const keys = kind === 'jetton' ? 'jetton' : 'jetton, pool';
  const start = to === 'hour' ? 'toStartOfHour(minute)' : 'toStartOfDay(hour)';
  return defineCommand({
    name,
    sql: `INSERT INTO ${table}_per_${to}_v1 (${to}, ${keys}, ${figureColumns[kind]}, version)
          SELECT ${start} AS bucket, ${keys}, ${mergedFigures[kind]}, sum(version)
          FROM ${table}_per_${from}_v1 FINAL
          WHERE ${start} IN {buckets: Array(DateTime('UTC'))}
          GROUP BY bucket, ${keys}
          SETTINGS do_not_merge_across_partitions_select_final = 1, max_partitions_per_insert_block = 0`,
    params,
  });
}

/** Replaces whole hours (all keys) by the sum of their minutes. `buckets` are hour starts, Unix seconds. */
export const materialiseHours = {
  jetton: rollUp('materialiseJettonHours', 'jetton', 'minute', 'hour'),
  pool: rollUp('materialisePoolHours', 'pool', 'minute', 'hour'),
};

/** Replaces whole days (all keys) by the sum of their hours. `buckets` are day starts, Unix seconds. */
export const materialiseDays = {
  jetton: rollUp('materialiseJettonDays', 'jetton', 'hour', 'day'),
  pool: rollUp('materialisePoolDays', 'pool', 'hour', 'day'),
};
