import { describe, expect, it } from '@jest/globals';
import { type TrustInputs, trustScoreOf } from '@jetton-analytics/figures';
import * as fc from 'fast-check';
import { ageChangesAt } from './age.js';

const inputs = (createdAtSeconds: number, atSeconds: number): TrustInputs => ({
  verification: 'JVS_NONE',
  liquidityUsd: undefined,
  holders: undefined,
  traders24h: undefined,
  atSeconds,
  createdAtSeconds,
  isStandardCode: undefined,
  mintable: undefined,
  topTenBalances: undefined,
  circulatingSupply: 0n,
});
const agePart = (createdAt: number, at: number) =>
  trustScoreOf(inputs(createdAt, at)).parts.find(({ part }) => part === 'age');

describe('ageChangesAt', () => {
  it('is the first instant at which the age part is another one', () => {
    const createdAt = 1_700_000_000;
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 200 * 86_400 }), (age) => {
        const at = createdAt + age;
        const next = ageChangesAt(createdAt, at);
        expect(next).toBeGreaterThan(at);
        expect(agePart(createdAt, next - 1)).toEqual(agePart(createdAt, at));
        // At the very beginning the part is as it was before: age 0 counts like a negative one.
        const before = next === createdAt ? undefined : agePart(createdAt, at);
        expect(agePart(createdAt, next)).not.toEqual(before);
      }),
      { numRuns: 2_000 },
    );
  });
});
