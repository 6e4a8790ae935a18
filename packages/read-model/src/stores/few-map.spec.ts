import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FewMap } from './few-map.js';

const operation = fc.record({
  kind: fc.constantFrom('set', 'delete'),
  key: fc.constantFrom('a', 'b', 'c', ''),
  value: fc.integer(),
});

describe('FewMap', () => {
  it('holds after any sets and deletions what a Map holds', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const few = new FewMap<number>();
        const map = new Map<string, number>();
        for (const { kind, key, value } of operations) {
          if (kind === 'set') {
            few.set(key, value);
            map.set(key, value);
          } else {
            few.delete(key);
            map.delete(key);
          }
          expect(few.size).toBe(map.size);
          for (const one of ['a', 'b', 'c', '', 'd']) {
            expect(few.get(one)).toBe(map.get(one));
            expect(few.has(one)).toBe(map.has(one));
          }
          expect(new Map(few)).toEqual(map);
          expect([...few.keys()].toSorted()).toEqual([...map.keys()].toSorted());
        }
      }),
    );
  });
});
