import { type ClickHouseReader, jettonSpans } from '@jetton-analytics/clickhouse';
import type { Step } from '@jetton-analytics/figures';
import { bucketVersions, type Coverage, coverRange, daySeconds, hourSeconds, rowsOf } from '@jetton-analytics/rollups';
import { slices } from '../inputs/slices.js';
import { cutMinutes, edgesOf } from './edges.js';
import { nextTurn, type Pause } from './in-turns.js';
import { jettonsPerStatementMax } from './price-inputs.query.js';
import { type HalfSums, windowSumsQuery } from './window-sums.query.js';

/** By `jetton` or `jetton|pool`; a key without a leg in any window is absent. */
export type SumsByKey = Map<string, HalfSums[]>;

// Each is a key and day with states of traders, a kilobyte or two: far from the memory that a statement may take.
const rowsPerStatementMax = 400_000;
/** From so many on (of a hundred thousand) a statement that names them is no cheaper than those that sum all. */
const namedMax = 10_000;

/**
 * The sums of a step's windows at C, of jettons or of their markets; only of `jettons` where they are given. Very many of
 * them are picked from those of all. Throws what the store throws.
 */
export async function readWindowSums(
  store: ClickHouseReader,
  step: Step,
  kind: 'jetton' | 'pool',
  calculatedAt: number,
  jettons?: ReadonlySet<string>,
  pause: Pause = nextTurn,
): Promise<SumsByKey> {
  const found: SumsByKey = new Map();
  if (jettons?.size === 0) return found;
  const edges = edgesOf(step, calculatedAt);
  const { coverage, rows } = await coverageOf(store, step, kind, edges);
  const params = {
    calculatedAt,
    edgeSecond: calculatedAt % 60,
    cutMinutes: cutMinutes(edges),
    from: edges[0] ?? calculatedAt,
    days: [...coverage.days],
    hours: [...coverage.hours],
    minuteHours: [...coverage.minuteHours],
  };
  const take = (row: HalfSums) => {
    if (jettons !== undefined && !jettons.has(row.jetton)) return;
    const key = kind === 'jetton' ? row.jetton : `${row.jetton}|${row.pool}`;
    const halves = found.get(key);
    if (halves === undefined) found.set(key, [row]);
    else halves.push(row);
  };
  const lists =
    jettons !== undefined && jettons.size <= namedMax ? [...slices([...jettons], jettonsPerStatementMax)] : [];
  const names = Object.fromEntries(lists.map((list, index) => [`jettons${index}`, list]));
  const spans = jettonSpans(Math.max(1, Math.ceil(rows / rowsPerStatementMax)));
  const query = windowSumsQuery(kind, step, lists.length);
  const statements = (lists.length > 0 ? [names] : spans).map((which) => store.stream(query, { ...params, ...which }));
  // One after the other, and in chunks, so that others have the thread in between.
  for (const statement of statements) {
    for await (const chunk of statement) {
      chunk.forEach(take);
      await pause();
    }
  }
  return found;
}

/** What the range is read from, and its rows as far as they were counted. */
async function coverageOf(
  store: ClickHouseReader,
  step: Step,
  kind: 'jetton' | 'pool',
  edges: readonly number[],
): Promise<{ readonly coverage: Coverage; readonly rows: number }> {
  const first = edges[0] ?? 0;
  const last = edges.at(-1) ?? 0;
  if (step === 'short') {
    // Two hours hold at most one whole hour: minutes alone are as cheap, and need no comparison.
    const hours = [];
    for (let hour = first - (first % hourSeconds); hour < last; hour += hourSeconds) hours.push(hour);
    return { coverage: { days: [], hours: [], minuteHours: hours }, rows: 0 };
  }
  const versions = await store.query(bucketVersions[kind], {
    from: first - (first % daySeconds),
    to: last - (last % daySeconds) + daySeconds,
  });
  const coverage = coverRange(versions, edges);
  return { coverage, rows: rowsOf(coverage, versions) };
}
