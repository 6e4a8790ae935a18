import { type ClickHouseWriter, defineCommand, defineInsert, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const storedTerms = defineQuery({
  name: 'storedTerms',
  sql: `SELECT term, clock, toUnixTimestamp(last_as_of) AS last_as_of_s
        FROM snapshot_terms_v1
        LEFT JOIN (SELECT term, max(as_of) AS last_as_of FROM snapshot_markers_v1 GROUP BY term) AS markers USING (term)
        ORDER BY term`,
  params: z.object({}),
  row: z.object({ term: z.int(), clock: z.string(), last_as_of_s: z.int() }),
});

const insertTerm = defineInsert<readonly [term: number, clock: string, leader: string, startedAt: number]>({
  name: 'insertTerm',
  table: 'snapshot_terms_v1',
  columns: ['term', 'clock', 'leader', 'started_at'],
});

export interface Term {
  readonly term: number;
  /** The last T of the store under this clock, Unix seconds; undefined: none, or the clock was another one. */
  readonly lastT: number | undefined;
}

const leadersOf = defineQuery({
  name: 'leadersOf',
  sql: 'SELECT DISTINCT leader FROM snapshot_terms_v1 WHERE term = {term: UInt32}',
  params: z.object({ term: z.int() }),
  row: z.object({ leader: z.string() }),
});

export interface TermRequest {
  readonly generationId: number;
  readonly clock: string;
  /** Names this term's leader; no other term has the same. */
  readonly leader: string;
  readonly nowS: number;
}

const attemptsMax = 10;

/**
 * Begins a term of leadership: greater than every stored one, of this leader alone, and acknowledged before it returns.
 * What was calculated under another clock is left behind: T begins anew. Throws when it meets other leaders again and
 * again.
 *
 * Two leaders that read the terms at the same moment choose the same one. So each reads its term back once its own row is
 * acknowledged: of two, the later one to do so finds both rows and leaves the term to the other, if both find two, both
 * leave it. They leave by distances of chance, so that they do not meet for long; a term that was left is never marked.
 */
export async function beginTerm(
  store: ClickHouseWriter,
  { generationId, clock, leader, nowS }: TermRequest,
  random: () => number = Math.random,
): Promise<Term> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const terms = await store.query(storedTerms, {});
    const next = Math.max(generationId, (terms.at(-1)?.term ?? 0) + 1);
    const term = next + Math.floor(random() * attempt * 4);
    const lastOther = terms.findLastIndex((stored) => stored.clock !== clock);
    const lastT = terms.slice(lastOther + 1).reduce((newest, stored) => Math.max(newest, stored.last_as_of_s), 0);
    await store.insert(insertTerm, [[term, clock, leader, nowS]]);
    const leaders = await store.query(leadersOf, { term });
    if (leaders.length === 1) return { term, lastT: lastT === 0 ? undefined : lastT };
  }
  throw new Error(`${attemptsMax} terms of leadership were taken by others at the same moment`);
}

const partitionsOf = (table: 'jetton_statistics_v1' | 'market_statistics_v1') =>
  defineQuery({
    name: `${table}Terms`,
    sql: `SELECT DISTINCT toUInt32(partition) AS term FROM system.parts
          WHERE database = currentDatabase() AND table = '${table}' AND active`,
    params: z.object({}),
    row: z.object({ term: z.int() }),
  });

const dropTerm = (table: 'jetton_statistics_v1' | 'market_statistics_v1') =>
  defineCommand({
    name: `${table}DropTerm`,
    sql: `ALTER TABLE ${table} DROP PARTITION {term: UInt32}`,
    params: z.object({ term: z.int() }),
  });

const forgetTerms = defineCommand({
  name: 'forgetTerms',
  sql: 'ALTER TABLE snapshot_terms_v1 DELETE WHERE term < {term: UInt32} SETTINGS mutations_sync = 1',
  params: z.object({ term: z.int() }),
});

/**
 * Drops the snapshots of former terms, and the terms themselves; to be called when every step of this term has been marked
 * for a while.
 */
export async function dropFormerTerms(store: ClickHouseWriter, term: number): Promise<void> {
  for (const table of ['jetton_statistics_v1', 'market_statistics_v1'] as const) {
    for (const stored of await store.query(partitionsOf(table), {})) {
      if (stored.term < term) await store.command(dropTerm(table), { term: stored.term });
    }
  }
  // This term's markers have the greatest T, so that nothing is asked of former terms any more.
  await store.command(forgetTerms, { term });
}
