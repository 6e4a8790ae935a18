import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { listQuery, tableRows } from '../test/arbitraries.js';
import { MemoryStore } from '../test/memory-store.js';
import { naiveOrder } from '../test/naive.js';
import { Table, type TableRow } from '../test/table.js';
import { ListWalks } from './list-walks.js';

const secret = 's'.repeat(32);

/** What happens between two pages: to the rows, and which replica the next page lands on (2: one that has just begun). */
const move = fc.record({
  replica: fc.integer({ min: 0, max: 2 }),
  change: fc.nat(),
  figure: fc.bigInt({ min: -3n, max: 3n }),
  vanish: fc.option(fc.nat(), { freq: 3 }),
  limit: fc.integer({ min: 1, max: 9 }),
  seconds: fc.integer({ min: 0, max: 15 }),
});
const still = { replica: 0, change: 0, figure: 0n, vanish: null, limit: 5, seconds: 0 };

describe('a walk through all pages', () => {
  it('gives each jetton that matched once, in the order of its first page, over two replicas and a restart', async () => {
    await fc.assert(
      fc.asyncProperty(
        tableRows(40),
        listQuery,
        fc.array(move, { minLength: 1, maxLength: 12 }),
        tableRows(10),
        async (rows, query, moves, later) => {
          let nowMs = 1_795_219_200_000;
          const store = new MemoryStore();
          const start = () => new ListWalks({ secret, store, nowMs: () => nowMs });
          const replicas = [start(), start()];
          const table = new Table(rows);
          // The other replica met the jettons in another order.
          const mirror = new Table(rows.toReversed());
          const expected = naiveOrder(rows, query);
          const vanished = new Set<string>();
          const walked: string[] = [];
          let cursor: string | undefined;
          for (let turn = 0; ; turn += 1) {
            const { replica, limit, ...rest } = moves[turn % moves.length] ?? still;
            if (replica === 2) replicas[1] = start();
            const walks = replicas[replica === 2 ? 1 : replica] ?? start();
            const asked = {
              ...query,
              limit: turn === 0 ? query.limit : limit,
              ...(cursor === undefined ? {} : { cursor }),
            };
            const { addresses, next } = await walks.page(replica === 0 ? table : mirror, 'stats', asked);
            expect(addresses.length).toBeLessThanOrEqual(asked.limit);
            walked.push(...addresses);
            if (next === undefined) break;
            expect(addresses).toHaveLength(asked.limit);
            expect(next.length).toBeLessThanOrEqual(512);
            cursor = next;
            shake(table.rows, query.sort, rest, vanished, walked);
            append([table, mirror], later);
            nowMs += rest.seconds * 1_000;
          }
          expect(walked).toEqual(expected.filter((address) => walked.includes(address) || !vanished.has(address)));
          expect(new Set(walked).size).toBe(walked.length);
        },
      ),
      { numRuns: 300, verbose: 1 },
    );
  });
});

function shake(
  rows: TableRow[],
  sort: Parameters<TableRow['figures']['get']>[0],
  { change, figure, vanish }: { change: number; figure: bigint; vanish: number | null },
  vanished: Set<string>,
  walked: readonly string[],
): void {
  const changed = rows[change % rows.length];
  changed?.figures.set(sort, figure);
  const gone = vanish === null ? undefined : rows[vanish % rows.length];
  if (gone === undefined) return;
  gone.isRow = false;
  if (!walked.includes(gone.address)) vanished.add(gone.address);
}

function append(tables: readonly Table[], later: TableRow[]): void {
  const known = new Set(tables[0]?.rows.map(({ address }) => address));
  const row = later.pop();
  for (const table of tables) {
    if (row !== undefined && !known.has(row.address)) table.rows.push(row);
    table.touch();
  }
}
