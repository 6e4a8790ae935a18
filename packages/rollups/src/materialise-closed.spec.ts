import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { inStatements } from './materialise-closed.js';

describe('the statements that materialise hours and days', () => {
  it('take every bucket once and in order, of bounded rows and buckets together, so that no statement outgrows its memory', () => {
    const buckets = fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 500_000 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(buckets, (counts) => {
        const rows = new Map(counts.map((count, index) => [3_600 * index, count]));
        const statements = inStatements([...rows.keys()], rows);
        expect(statements.flat()).toEqual([...rows.keys()]);
        const sum = (of: readonly number[]) => of.reduce((total, bucket) => total + (rows.get(bucket) ?? 0), 0);
        expect(statements.filter((of) => of.length === 0 || of.length > 72)).toEqual([]);
        expect(statements.filter((of) => of.length > 1 && sum(of) > 200_000)).toEqual([]);
        // None is begun where the one before had room.
        const withRoom = statements.filter((of, index) => {
          const [next] = statements[index + 1] ?? [];
          return next !== undefined && of.length < 72 && sum([...of, next]) <= 200_000;
        });
        expect(withRoom).toEqual([]);
      }),
    );
  });
});
