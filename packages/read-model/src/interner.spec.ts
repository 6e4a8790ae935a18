import { describe, expect, it } from '@jest/globals';
import { RowBinaryReader, RowBinaryWriter } from '@jetton-analytics/clickhouse';
import { array, assert, integer, property } from 'fast-check';
import { Interner } from './interner.js';

const address = (number: number) => `0:${String(number).padStart(64, '0')}`;

function rowsOf(texts: readonly string[]): RowBinaryReader {
  const writer = new RowBinaryWriter(64);
  for (const text of texts) writer.string(text);
  return new RowBinaryReader(Buffer.from(writer.bytes));
}

describe('an interned column', () => {
  it('is read as it is, whatever was read before and in whatever order', () => {
    const tables = array(array(integer({ min: 0, max: 30 }), { maxLength: 40 }), { maxLength: 5 });
    assert(
      property(tables, (orders) => {
        const interner = new Interner();
        for (const order of orders) {
          const texts = order.map(address);
          const rows = rowsOf(texts);
          const column = interner.column('jetton');
          expect(texts.map(() => column.read(rows))).toEqual(texts);
          expect(rows.isDone).toBe(true);
        }
      }),
    );
  });

  it('does not take a text for another of which it is the beginning', () => {
    const interner = new Interner();
    const before = interner.column('jetton');
    const rows = rowsOf(['0:ab', '0:abc']);
    expect([before.read(rows), before.read(rows)]).toEqual(['0:ab', '0:abc']);
    const after = interner.column('jetton');
    const others = rowsOf(['0:abc', '0:ab', '']);
    expect([after.read(others), after.read(others), after.read(others)]).toEqual(['0:abc', '0:ab', '']);
  });
});
