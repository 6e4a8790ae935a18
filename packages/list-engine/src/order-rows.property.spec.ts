import { describe, expect, it } from '@jest/globals';
import { SortField } from '@jetton-analytics/common';
import * as fc from 'fast-check';
import { listQuery, tableRows } from '../test/arbitraries.js';
import { naiveOrder } from '../test/naive.js';
import { anyQuery, Table } from '../test/table.js';
import { ListIndex } from './order-rows.js';

const addressesOf = (table: Table, rows: Uint32Array) => Array.from(rows, (row) => table.address(row));

describe('the order of a list', () => {
  it('is that of the plain definition, for any rows and any query', () => {
    fc.assert(
      fc.property(tableRows(40), fc.array(listQuery, { minLength: 1, maxLength: 5 }), (rows, queries) => {
        const table = new Table(rows);
        const index = new ListIndex(table);
        for (const query of queries)
          expect(addressesOf(table, index.orderRows(query))).toEqual(naiveOrder(rows, query));
      }),
      { numRuns: 300, verbose: 1 },
    );
  });

  it('stays that while rows come, change and vanish, where columns are kept sorted', () => {
    fc.assert(
      fc.property(
        fc.array(tableRows(60), { minLength: 3, maxLength: 3 }),
        fc.constantFrom(...SortField.options),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.array(fc.nat(), { maxLength: 40 }),
        (batches, sort, order, picks) => {
          const query = { ...anyQuery, sort, order };
          const table = new Table();
          // Enough rows that matched ones are taken from the sorted column.
          for (let at = 0; at < 700; at += 1) table.rows.push(filler(at));
          const index = new ListIndex(table);
          for (const batch of batches) {
            const known = new Set(table.rows.map(({ address }) => address));
            table.rows.push(...batch.filter(({ address }) => !known.has(address)));
            for (const [turn, pick] of picks.entries()) change(table, pick % table.size, sort, BigInt(turn % 5), turn);
            table.touch();
            expect(addressesOf(table, index.orderRows(query))).toEqual(naiveOrder(table.rows, query));
          }
        },
      ),
      { numRuns: 40, verbose: 1 },
    );
  });
});

function filler(at: number) {
  const address = `0:${(at * 7_919).toString(16).padStart(6, '0')}${'0'.repeat(58)}`;
  const figures = new Map<SortField, bigint>(
    at % 3 === 0 ? [] : SortField.options.map((field) => [field, BigInt(at % 17)]),
  );
  return { address, name: '', symbol: '', verification: 'JVS_NONE', admin: undefined, isRow: true, figures } as const;
}

function change(table: Table, row: number, sort: SortField, value: bigint, turn: number): void {
  const changed = table.rows[row];
  if (changed === undefined) return;
  if (turn % 4 === 0) changed.figures.delete(sort);
  else changed.figures.set(sort, turn % 4 === 1 ? 2n ** 60n + value : value);
  if (turn % 7 === 0) changed.isRow = !changed.isRow;
}
