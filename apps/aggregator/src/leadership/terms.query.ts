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

/**
 * Begins a term of leadership: greater than every stored one, acknowledged before it returns. What was calculated under
 * another clock is left behind: T begins anew.
 */
export async function beginTerm(
  store: ClickHouseWriter,
  { generationId, clock, leader, nowS }: { generationId: number; clock: string; leader: string; nowS: number },
): Promise<Term> {
  const terms = await store.query(storedTerms, {});
  const term = Math.max(generationId, (terms.at(-1)?.term ?? 0) + 1);
  const lastOther = terms.findLastIndex((stored) => stored.clock !== clock);
  const lastT = terms.slice(lastOther + 1).reduce((newest, stored) => Math.max(newest, stored.last_as_of_s), 0);
  await store.insert(insertTerm, [[term, clock, leader, nowS]]);
  return { term, lastT: lastT === 0 ? undefined : lastT };
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

/** Drops the snapshots of former terms; to be called when every step of this term has been marked for a while. */
export async function dropFormerTerms(store: ClickHouseWriter, term: number): Promise<void> {
  for (const table of ['jetton_statistics_v1', 'market_statistics_v1'] as const) {
    for (const stored of await store.query(partitionsOf(table), {})) {
      if (stored.term < term) await store.command(dropTerm(table), { term: stored.term });
    }
  }
}
