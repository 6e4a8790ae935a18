import { defineQuery } from '@jetton-analytics/clickhouse';
import type { Step, WindowA } from '@jetton-analytics/figures';
import { z } from 'zod';
import { tradeFigures } from '@jetton-analytics/rollups';
import { edgesOf, stepWindows } from './edges.js';

/** What a window adds up. */
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

/** Of them, what the rollups of pools keep and markets are asked for. */
export const marketSummedColumns = [
  'transactions_buy',
  'transactions_sell',
  'traders',
  'volume_usd_buy',
  'volume_usd_sell',
] as const satisfies readonly (typeof summedColumns)[number][];

const HalfSums = z.object({
  jetton: z.string(),
  pool: z.string().default(''),
  half: z.int(),
  /** Decimal texts, one per column. */
  sums: z.array(z.string()).min(marketSummedColumns.length),
  /** Of jettons: UTC day, volume_usd_buy and volume_usd_sell; a day may stand there in several parts. */
  usd_days: z.array(z.tuple([z.string(), z.string(), z.string()])).default([]),
});
export type HalfSums = z.infer<typeof HalfSums>;

/** Decimal texts: current and previous of each of {@link summedColumns}; of markets, {@link marketSummedColumns}. */
export type WindowSums = readonly string[];

/** Sums by window; a window without a leg is absent. */
export type SumsByWindow = { readonly [W in WindowA]?: WindowSums };

const rangeParams = z.object({
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

/** Which jettons a statement sums: all of a span (jettonSpans; '' and '' are all), or those of some lists of names. */
const ofSpan = `jetton >= {fromJetton: String} AND ({beforeJetton: String} = '' OR jetton < {beforeJetton: String})`;
const named = (lists: number) =>
  `jetton IN arrayConcat(${Array.from({ length: lists }, (_, index) => `{jettons${index}: Array(String)}`).join(', ')})`;
const params = rangeParams.catchall(z.union([z.int(), z.string(), z.array(z.int()), z.array(z.string())]));

const at = `{calculatedAt: DateTime('UTC')}`;

/**
 * Edges cut the range into segments, numbered from the earliest; each row lies in one. Merging the rows of a segment
 * once and the few segments per window then is a third of the work of merging every row into every window.
 */
function segmentOf(edgeAges: readonly number[]): string {
  const inner = edgeAges.slice(1, -1).map((age, index) => `t < ${at} - ${age}, ${index}`);
  return `multiIf(${[...inner, String(edgeAges.length - 2)].join(', ')})`;
}

/** Halves of windows, numbered: current of the step's first window 0, its previous 1, current of the second 2, … */
function halvesOf(step: Step, edgeAges: readonly number[]): string {
  const perSegment = edgeAges.slice(0, -1).map((age) => {
    const halves = stepWindows[step].flatMap(({ seconds }, index) => {
      if (age <= seconds) return [2 * index];
      return age <= 2 * seconds ? [2 * index + 1] : [];
    });
    return `[${halves.join(', ')}]`;
  });
  return `arrayElement([${perSegment.join(', ')}], segment + 1)`;
}

/**
 * Every row read lies on one side of each edge: days, hours and minutes that no edge cuts, and for the minutes that
 * edges cut the legs themselves, split at the edge's second.
 */
function windowSums(table: 'jetton_trades' | 'pool_trades', step: Step, where: string) {
  const [kind, keys, summed] =
    table === 'jetton_trades'
      ? (['jetton', 'jetton', summedColumns] as const)
      : (['pool', 'jetton, pool', marketSummedColumns] as const);
  const columns = `${keys}, ${summed.join(', ')}`;
  // How long before C each edge lies, the earliest first.
  const edgeAges = edgesOf(step, 0).map((edge) => -edge);
  const merged = (suffix: string, state: 'State' | '') =>
    summed.map((column) =>
      column.startsWith('traders') ? `uniqExactMerge${state}(${column}${suffix})` : `sum(${column}${suffix})`,
    );
  const parts = merged('', 'State').map((sum, index) => `${sum} AS ${summed[index]}_part`);
  // Of a jetton, parts are also cut at midnights: volumes by day come from the scan that the sums come from. Where no
  // midnight lies in the range, this cuts nothing.
  const byDay = table === 'jetton_trades';
  const days = `,
        groupArrayIf((toString(part_day), toString(volume_usd_buy_part), toString(volume_usd_sell_part)),
          volume_usd_buy_part != 0 OR volume_usd_sell_part != 0) AS usd_days`;
  return defineQuery({
    name: `${table}WindowSums${step}`,
    sql: `
      SELECT ${keys}, arrayJoin(${halvesOf(step, edgeAges)}) AS half, [${merged('_part', '')
        .map((sum) => `toString(${sum})`)
        .join(', ')}] AS sums${byDay ? days : ''}
      FROM (
        SELECT ${keys}, ${segmentOf(edgeAges)} AS segment, ${byDay ? 'toDate(t) AS part_day, ' : ''}${parts.join(', ')}
        FROM (
          SELECT day AS t, ${columns} FROM ${table}_per_day_v1 FINAL WHERE day IN {days: Array(DateTime('UTC'))} AND ${where}
          UNION ALL
          SELECT hour AS t, ${columns} FROM ${table}_per_hour_v1 FINAL WHERE hour IN {hours: Array(DateTime('UTC'))} AND ${where}
          UNION ALL
          SELECT minute AS t, ${columns} FROM ${table}_per_minute_v1 FINAL
          WHERE toStartOfHour(minute) IN {minuteHours: Array(DateTime('UTC'))}
            AND minute >= {from: DateTime('UTC')} AND minute < ${at}
            AND minute NOT IN {cutMinutes: Array(DateTime('UTC'))} AND ${where}
          UNION ALL
          SELECT t, ${columns} FROM (
            SELECT minute + if(toSecond(event_time) < {edgeSecond: UInt8}, 0, {edgeSecond: UInt8}) AS t, ${keys}, ${tradeFigures[kind]}
            FROM jetton_legs_v1 FINAL
            WHERE minute IN {cutMinutes: Array(DateTime('UTC'))} AND ${where}
            GROUP BY t, ${keys})
        )
        WHERE t >= {from: DateTime('UTC')} AND t < ${at}
        GROUP BY ${keys}, segment${byDay ? ', part_day' : ''}
      )
      GROUP BY ${keys}, half
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    params,
    row: HalfSums,
  });
}

const tables = { jetton: 'jetton_trades', pool: 'pool_trades' } as const;
const statements = new Map<string, ReturnType<typeof windowSums>>();

/**
 * Sums over the windows of a step, per jetton or per jetton and pool, of the jettons of so many lists of names
 * (`jettons0`, `jettons1`, …), or without lists of a span (`fromJetton`, `beforeJetton`); keys without a leg in the windows
 * have no row.
 */
export function windowSumsQuery(kind: 'jetton' | 'pool', step: Step, lists = 0): ReturnType<typeof windowSums> {
  const key = `${kind}|${step}|${lists}`;
  const statement = statements.get(key) ?? windowSums(tables[kind], step, lists === 0 ? ofSpan : named(lists));
  statements.set(key, statement);
  return statement;
}

/** Puts the halves of one key together. */
export function sumsByWindow(step: Step, halves: readonly HalfSums[]): SumsByWindow {
  const found = new Map(halves.map(({ half, sums }) => [half, sums]));
  const windows = stepWindows[step].flatMap(({ name }, index) => {
    const current = found.get(2 * index);
    const previous = found.get(2 * index + 1);
    if (current === undefined && previous === undefined) return [];
    const pairs = (current ?? previous ?? []).flatMap((_, column) => [
      current?.[column] ?? '0',
      previous?.[column] ?? '0',
    ]);
    return [[name, pairs] as const];
  });
  return Object.fromEntries(windows);
}
