import { defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const version = z.object({ row_key: z.string(), row_version: z.string().transform(BigInt) });
const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';
const params = z.object({ minutes: z.array(z.int()).min(1), jettons: z.array(z.string()), pools: z.array(z.string()) });
const starts = "{minutes: Array(DateTime('UTC'))}";
const pairs = `arrayZip(${starts}, {jettons: Array(String)})`;

const coarse = (grain: 'hour' | 'day', start: string) =>
  defineQuery({
    name: `${grain}TableVersions`,
    sql: `SELECT concat(jetton, '|${grain}|', toString(toUnixTimestamp(${start}))) AS row_key, toString(sum(version)) AS row_version
          FROM jetton_trades_per_minute_v1 FINAL PREWHERE jetton IN {jettons: Array(String)}
          WHERE ${start} IN ${starts} AND (${start}, jetton) IN ${pairs}
          GROUP BY row_key ${settings}`,
    params,
    row: version,
  });

/** The versions that buckets have in their tables, by their keys in the topics; those of hours and days from the minutes. */
export const tableVersions = {
  jettonMinute: defineQuery({
    name: 'jettonMinuteTableVersions',
    sql: `SELECT concat(jetton, '|minute|', toString(toUnixTimestamp(minute))) AS row_key, toString(version) AS row_version
          FROM jetton_trades_per_minute_v1 FINAL WHERE minute IN ${starts} AND (minute, jetton) IN ${pairs} ${settings}`,
    params,
    row: version,
  }),
  poolMinute: defineQuery({
    name: 'poolMinuteTableVersions',
    sql: `SELECT concat(jetton, '|', pool, '|minute|', toString(toUnixTimestamp(minute))) AS row_key, toString(version) AS row_version
          FROM pool_trades_per_minute_v1 FINAL
          WHERE minute IN ${starts} AND (minute, jetton, pool) IN arrayZip(${starts}, {jettons: Array(String)}, {pools: Array(String)})
          ${settings}`,
    params,
    row: version,
  }),
  jettonHour: coarse('hour', 'toStartOfHour(minute)'),
  jettonDay: coarse('day', 'toStartOfDay(minute)'),
};

/** The newest published row of jettons, by their keys in the topic. */
export const statisticsVersions = defineQuery({
  name: 'statisticsTableVersions',
  sql: `SELECT concat(jetton, '|', toString(step)) AS row_key, toString(max(rows.version)) AS row_version
        FROM jetton_statistics_v1 AS rows
        INNER JOIN (
          SELECT term, step, max(version) AS marked FROM snapshot_markers_v1
          WHERE term = (SELECT max(term) FROM snapshot_markers_v1) GROUP BY term, step
        ) AS markers ON rows.term = markers.term AND rows.step = markers.step
        WHERE jetton IN {jettons: Array(String)} AND rows.version <= markers.marked
        GROUP BY jetton, step`,
  params: z.object({ jettons: z.array(z.string()).min(1) }),
  row: version,
});
