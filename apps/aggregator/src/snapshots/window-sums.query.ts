import { defineQuery } from '@jetton-analytics/clickhouse';
import type { Step, WindowA } from '@jetton-analytics/figures';
import { z } from 'zod';
import { tradeFigures } from '../rollups/bucket-figures.js';
import { stepWindows } from './edges.js';

/** What a window adds up, in the order of {@link WindowSums}: for each column current, then previous. */
export const summedColumns = [
  'transactions_buy',
  'transactions_sell',
  'traders',
  'traders_buy',
  'traders_sell',
  'volume_usd_buy',
  'volume_usd_sell',
  'volume_ton_buy',
  'volume_ton_sell',
] as const;

/** Decimal texts: [current, previous] of each of {@link summedColumns}. */
const WindowSums = z.array(z.string()).length(summedColumns.length * 2);
export type WindowSums = z.infer<typeof WindowSums>;

const params = z.object({
  calculatedAt: z.int(),
  /** Second of the minute that every edge falls on. */
  edgeSecond: z.int().min(0).max(59),
  /** Starts of the minutes that edges cut, read leg by leg. */
  cutMinutes: z.array(z.int()),
  days: z.array(z.int()),
  hours: z.array(z.int()),
  /** Starts of the hours that are read by minutes. */
  minuteHours: z.array(z.int()),
  /** The earliest edge. */
  from: z.int(),
});

const at = `{calculatedAt: DateTime('UTC')}`;

function sumsOf(seconds: number): string {
  const texts = summedColumns.flatMap((column) => {
    const aggregate = column.startsWith('traders') ? 'uniqExactMergeIf' : 'sumIf';
    return [
      `toString(${aggregate}(${column}, t >= ${at} - ${seconds}))`,
      `toString(${aggregate}(${column}, t >= ${at} - ${2 * seconds} AND t < ${at} - ${seconds}))`,
    ];
  });
  return `[${texts.join(', ')}]`;
}

/**
 * Every row read lies on one side of each edge: days, hours and minutes that no edge cuts, and for the minutes that
 * edges cut the legs themselves, split at the edge's second.
 */
function windowSums(table: 'jetton_trades' | 'pool_trades', step: Step) {
  const keys = table === 'jetton_trades' ? 'jetton' : 'jetton, pool';
  const columns = `${keys}, ${summedColumns.join(', ')}`;
  const windows = stepWindows[step];
  const row = z.object({
    jetton: z.string(),
    pool: z.string().default(''),
    ...Object.fromEntries(windows.map(({ name }) => [name, WindowSums])),
  }) as unknown as z.ZodType<{ jetton: string; pool: string } & Partial<Record<WindowA, WindowSums>>>;
  return defineQuery({
    name: `${table}WindowSums${step}`,
    sql: `
      SELECT ${keys}, ${windows.map(({ name, seconds }) => `${sumsOf(seconds)} AS ${name}`).join(',\n        ')}
      FROM (
        SELECT day AS t, ${columns} FROM ${table}_per_day_v1 FINAL WHERE day IN {days: Array(DateTime('UTC'))}
        UNION ALL
        SELECT hour AS t, ${columns} FROM ${table}_per_hour_v1 FINAL WHERE hour IN {hours: Array(DateTime('UTC'))}
        UNION ALL
        SELECT minute AS t, ${columns} FROM ${table}_per_minute_v1 FINAL
        WHERE toStartOfHour(minute) IN {minuteHours: Array(DateTime('UTC'))}
          AND minute >= {from: DateTime('UTC')} AND minute < ${at}
          AND minute NOT IN {cutMinutes: Array(DateTime('UTC'))}
        UNION ALL
        SELECT t, ${columns} FROM (
          SELECT minute + if(toSecond(event_time) < {edgeSecond: UInt8}, 0, {edgeSecond: UInt8}) AS t, ${keys}, ${tradeFigures}
          FROM jetton_legs_v1 FINAL
          WHERE minute IN {cutMinutes: Array(DateTime('UTC'))}
          GROUP BY t, ${keys})
      )
      WHERE t >= {from: DateTime('UTC')} AND t < ${at}
      GROUP BY ${keys}
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    params,
    row,
  });
}

type WindowSumsQuery = ReturnType<typeof windowSums>;

const perStep = (table: 'jetton_trades' | 'pool_trades'): Readonly<Record<Step, WindowSumsQuery>> => ({
  short: windowSums(table, 'short'),
  mid: windowSums(table, 'mid'),
  long: windowSums(table, 'long'),
});

/** Sums over the windows of a step, per jetton and per jetton and pool; keys without a leg in them have no row. */
export const windowSumsQueries = { jetton: perStep('jetton_trades'), pool: perStep('pool_trades') };
