import { describe, expect, it } from '@jest/globals';
import { Columns } from './columns.js';

describe('the columns of lists', () => {
  it('keep what no double holds exact, and order it', () => {
    const columns = new Columns();
    const values = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 120n + 1n, -5n, 0n];
    values.forEach((value, row) => columns.set('fdmc', row, value));
    expect(values.map((_, row) => columns.exact('fdmc', row))).toEqual(values);
    const column = columns.column('fdmc');
    const byDouble = values.map((_, row) => row).toSorted((a, b) => (column[a] ?? 0) - (column[b] ?? 0));
    expect(byDouble).toEqual([4, 5, 0, 1, 2, 3]);
  });

  it('hold a missing value apart from 0, also after a great one', () => {
    const columns = new Columns();
    expect(columns.exact('holders', 0)).toBeUndefined();
    expect(columns.set('holders', 0, 0n)).toBe(true);
    expect(columns.exact('holders', 0)).toBe(0n);
    columns.set('holders', 0, 2n ** 80n);
    columns.clear(0);
    expect([columns.exact('holders', 0), columns.column('holders')[0]]).toEqual([undefined, Number.NaN]);
  });

  it('tell whether a value is another one', () => {
    const columns = new Columns();
    expect(columns.set('tvl', 3, 2n ** 70n)).toBe(true);
    expect(columns.set('tvl', 3, 2n ** 70n)).toBe(false);
    expect(columns.set('tvl', 3, 2n ** 70n + 1n)).toBe(true);
  });

  it('grow without losing anything', () => {
    const columns = new Columns();
    columns.set('trustScore', 1_000, 7n);
    columns.reach(5_000);
    columns.set('trustScore', 5_000, 8n);
    expect([columns.exact('trustScore', 1_000), columns.exact('trustScore', 5_000)]).toEqual([7n, 8n]);
    expect(columns.column('trustScore').length).toBeGreaterThan(5_000);
    expect(columns.exact('trustScore', 4_999)).toBeUndefined();
  });
});
