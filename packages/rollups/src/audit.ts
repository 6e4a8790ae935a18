import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import {
  auditedCoarse,
  auditedMinutes,
  type BucketKind,
  type BucketRow,
  bucketsFrom,
  ledgerStart,
} from './audit.query.js';
import { daySeconds, hourSeconds } from './coverage.js';
import { newestAsOf } from './rebuild.query.js';

type Reader = Pick<ClickHouseReader, 'query'>;

/** A minute and a market in it: what one draw of the audit looks at. The pool is '' for trades that name none. */
export interface DrawnBucket {
  readonly minute: number;
  readonly jetton: string;
  readonly pool: string;
}

/**
 * `ok`; `wrong`: the right version with other figures, which no delay explains. The others are faults only if they stay,
 * since a trade is in the ledger a moment before it is in its buckets: `missing`: there is no row; `stale`: its version is
 * another; `orphan`: a row without any row of the ledger. An hour or day that is `stale` is no fault: windows then read
 * its minutes.
 */
export type AuditState = 'ok' | 'wrong' | 'missing' | 'stale' | 'orphan';

export interface AuditedBucket {
  readonly grain: 'minute' | 'hour' | 'day';
  readonly kind: BucketKind;
  /** Start, Unix seconds. */
  readonly start: number;
  readonly jetton: string;
  /** '' of a jetton's bucket. */
  readonly pool: string;
  readonly state: AuditState;
  /** Figures and version as they must be, and as they are stored; null: no row. */
  readonly expected: { readonly figures: string; readonly version: string } | null;
  readonly stored: { readonly figures: string; readonly version: string } | null;
}

export interface AuditPrices {
  readonly quoteAssets: readonly string[];
  readonly priceMinTradeUsd: string;
}

/** What has ended for so long that only late trades come to it. */
const closedSeconds = 60;

/** The bounds of what can be audited: from the ledger's first minute up to T less a minute; undefined: nothing yet. */
export async function auditableRange(store: Reader): Promise<{ from: number; to: number } | undefined> {
  const [[start], [newest]] = await Promise.all([store.query(ledgerStart, {}), store.query(newestAsOf, {})]);
  const from = start?.minute_s ?? 0;
  const to = (newest?.as_of_s ?? 0) - closedSeconds;
  return from === 0 || to <= from ? undefined : { from, to };
}

/**
 * Draws buckets of closed minutes in [from, to): the first minute with rows from a random instant on, in turn of the ledger
 * and of the rollups. Fewer than `count` where instants lie behind the last row. `random` gives numbers in [0, 1).
 */
export async function drawBuckets(
  store: Reader,
  { from, to, count }: { readonly from: number; readonly to: number; readonly count: number },
  random: () => number,
): Promise<DrawnBucket[]> {
  const drawn = new Map<string, DrawnBucket>();
  for (let draw = 0; draw < count; draw += 1) {
    const at = Math.floor((from + random() * (to - from)) / 60) * 60;
    const query = bucketsFrom[draw % 2 === 0 ? 0 : 1];
    const [row] = await store.query(query, { from: at, to, salt: String(random()) });
    if (row === undefined) continue;
    const { minute_s: minute, jetton, pool } = row;
    drawn.set(`${minute}|${jetton}|${pool}`, { minute, jetton, pool });
  }
  return [...drawn.values()];
}

/**
 * Recomputes the drawn minutes, of the jetton and of the market, from the ledger, and the hours and days over them that
 * ended before `closedBefore` from their minutes, and compares them with what is stored. Throws what the store throws.
 */
export async function auditBuckets(
  store: Reader,
  drawn: readonly DrawnBucket[],
  { prices, closedBefore }: { readonly prices: AuditPrices; readonly closedBefore: number },
): Promise<AuditedBucket[]> {
  if (drawn.length === 0) return [];
  const audited: AuditedBucket[] = [];
  for (const kind of ['jetton', 'pool'] as const) {
    audited.push(...(await auditMinutes(store, kind, drawn, prices)));
    audited.push(...(await auditCoarse(store, kind, drawn, closedBefore)));
  }
  return audited;
}

async function auditMinutes(store: Reader, kind: BucketKind, drawn: readonly DrawnBucket[], prices: AuditPrices) {
  const keys = {
    minutes: drawn.map(({ minute }) => minute),
    jettons: drawn.map(({ jetton }) => jetton),
    pools: drawn.map(({ pool }) => pool),
  };
  const { ledger, stored } = auditedMinutes[kind];
  // The stored row first: what is recomputed after it can only have seen as much or more.
  const rows = await store.query(stored, keys);
  const expected = await store.query(ledger, {
    ...keys,
    quoteAssets: [...prices.quoteAssets],
    priceMinTradeUsd: prices.priceMinTradeUsd,
  });
  return compare('minute', kind, expected, rows);
}

const grainSeconds = { hour: hourSeconds, day: daySeconds };

async function auditCoarse(store: Reader, kind: BucketKind, drawn: readonly DrawnBucket[], closedBefore: number) {
  const audited: AuditedBucket[] = [];
  for (const grain of ['hour', 'day'] as const) {
    const seconds = grainSeconds[grain];
    const pairs = drawn.map(({ minute, jetton, pool }) => ({ start: minute - (minute % seconds), jetton, pool }));
    const closed = pairs.filter(({ start }) => start + seconds <= closedBefore);
    if (closed.length === 0) continue;
    const params = {
      starts: [...new Set(closed.map(({ start }) => start))],
      jettons: [...new Set(closed.map(({ jetton }) => jetton))],
    };
    const { minutes, stored } = auditedCoarse[kind][grain];
    const rows = await store.query(stored, params);
    const compared = compare(grain, kind, await store.query(minutes, params), rows);
    const asked = new Set(closed.map(({ start, jetton, pool }) => `${start}|${jetton}|${kind === 'pool' ? pool : ''}`));
    // A row that is missing is written within seconds; one without minutes outlived them.
    audited.push(
      ...compared.filter((one) => asked.has(`${one.start}|${one.jetton}|${one.pool}`) && one.expected && one.stored),
    );
  }
  return audited;
}

const keyOf = (row: BucketRow) => `${row.bucket_s}|${row.jetton}|${row.pool}`;

function compare(
  grain: AuditedBucket['grain'],
  kind: BucketKind,
  expected: readonly BucketRow[],
  stored: readonly BucketRow[],
): AuditedBucket[] {
  const ledger = new Map(expected.map((row) => [keyOf(row), row]));
  const rows = new Map(stored.map((row) => [keyOf(row), row]));
  return [...new Set([...ledger.keys(), ...rows.keys()])].flatMap((key) => {
    const [must, is] = [ledger.get(key), rows.get(key)];
    const row = must ?? is;
    if (row === undefined) return [];
    return {
      grain,
      kind,
      start: row.bucket_s,
      jetton: row.jetton,
      pool: row.pool,
      state: stateOf(must, is),
      expected: must === undefined ? null : { figures: must.figures, version: must.row_version },
      stored: is === undefined ? null : { figures: is.figures, version: is.row_version },
    };
  });
}

function stateOf(expected: BucketRow | undefined, stored: BucketRow | undefined): AuditState {
  if (stored === undefined) return 'missing';
  if (expected === undefined) return 'orphan';
  if (stored.row_version !== expected.row_version) return 'stale';
  return stored.figures === expected.figures ? 'ok' : 'wrong';
}

/** Whether a bucket is not as it must be, as far as one look tells: other states than `wrong` may pass. */
export const isSuspect = ({ grain, state }: AuditedBucket): boolean =>
  grain === 'minute' ? state !== 'ok' : state === 'wrong';
