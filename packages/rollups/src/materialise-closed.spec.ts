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
        for (const [index, statement] of statements.entries()) {
          const sum = (of: readonly number[]) => of.reduce((total, bucket) => total + (rows.get(bucket) ?? 0), 0);
          expect(statement.length).toBeGreaterThan(0);
          expect(statement.length).toBeLessThanOrEqual(72);
          if (statement.length > 1) expect(sum(statement)).toBeLessThanOrEqual(200_000);
          const [next] = statements[index + 1] ?? [];
          // None is begun where the one before had room.
          if (next !== undefined && statement.length < 72) expect(sum([...statement, next])).toBeGreaterThan(200_000);
        }
      }),
    );
  });
});
