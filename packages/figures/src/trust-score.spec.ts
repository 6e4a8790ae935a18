import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { trustScoreOf, type TrustInputs, type TrustPartName } from './trust-score.js';

const day = 86_400;
const at = 1_760_000_000;
const nothing: TrustInputs = {
  verification: 'JVS_NONE',
  liquidityUsd: undefined,
  holders: undefined,
  traders24h: undefined,
  atSeconds: at,
  createdAtSeconds: undefined,
  isStandardCode: undefined,
  mintable: undefined,
  topTenBalances: undefined,
  circulatingSupply: 0n,
};
const everything: TrustInputs = {
  verification: 'JVS_VERIFIED',
  liquidityUsd: { value: '1000000000000', decimals: 6 },
  holders: 100_000n,
  traders24h: 200n,
  atSeconds: at,
  createdAtSeconds: at - 180 * day,
  isStandardCode: true,
  mintable: false,
  topTenBalances: 1n,
  circulatingSupply: 10n ** 12n,
};
const pointsOf = (part: TrustPartName, inputs: Partial<TrustInputs>): number | undefined =>
  trustScoreOf({ ...nothing, ...inputs }).parts.find((one) => one.part === part)?.points;
const scoreOfActivity = (traders24h: bigint): number => trustScoreOf({ ...nothing, traders24h }).score;
const usd = (whole: bigint) => ({ value: String(whole * 1_000_000n), decimals: 6 });

describe('the trust score', () => {
  it('has its seven parts in the order of the table, each with points and reason', () => {
    const { version, parts } = trustScoreOf(nothing);
    expect(version).toBe(1);
    expect(parts.map(({ part }) => part)).toEqual([
      'verification',
      'liquidity',
      'holders',
      'activity',
      'age',
      'contract',
      'concentration',
    ]);
    for (const part of parts) expect(part.reason).not.toBe('');
  });

  it('is 0 where nothing is known and 100 where all is at its best', () => {
    expect(trustScoreOf(nothing).score).toBe(0);
    expect(trustScoreOf(nothing).parts.map(({ points }) => points)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(trustScoreOf(everything).score).toBe(100);
    expect(trustScoreOf(everything).parts.map(({ points }) => points)).toEqual([25, 25, 15, 10, 10, 10, 5]);
  });

  it.each([
    ['JVS_VERIFIED', 25],
    ['JVS_COMMUNITY_VERIFIED', 20],
    ['JVS_APPROVED', 15],
    ['JVS_NONE', 0],
    ['JVS_SCAM', 0],
  ] as const)('gives %s %d points', (verification, points) => {
    expect(pointsOf('verification', { verification })).toBe(points);
  });

  it('is 0 in all for a scam, whose other parts stay to be seen', () => {
    const scam = trustScoreOf({ ...everything, verification: 'JVS_SCAM' });
    expect(scam.score).toBe(0);
    expect(scam.parts.map(({ points }) => points)).toEqual([0, 25, 15, 10, 10, 10, 5]);
  });

  it.each([
    ['0', 0],
    ['1', 0],
    ['100000000', 0], // 100 usd
    ['100000001', 0],
    ['1000000000', 6.25], // 1,000 usd: a quarter of 25
    ['2000000000', 8.13], // 6.25 × log10(20) = 8.131...
    ['999999999999', 25],
    ['1000000000000', 25],
    ['1000000000000000000000000', 25],
  ])('gives liquidity of %s millionths of a usd %d points', (value, points) => {
    expect(pointsOf('liquidity', { liquidityUsd: { value, decimals: 6 } })).toBe(points);
  });

  it.each([
    [0n, 0],
    [1n, 0],
    [10n, 0],
    [11n, 0.16], // 3.75 × log10(1.1) = 0.1552...
    [100n, 3.75],
    [99_999n, 15],
    [100_000n, 15],
    [10n ** 30n, 15],
  ])('gives %d holders %d points', (holders, points) => {
    expect(pointsOf('holders', { holders })).toBe(points);
  });

  it('gives a point for every 20 traders up to 10', () => {
    expect(pointsOf('activity', { traders24h: 0n })).toBe(0);
    expect(pointsOf('activity', { traders24h: 1n })).toBe(0.05);
    expect(pointsOf('activity', { traders24h: 199n })).toBe(9.95);
    expect(pointsOf('activity', { traders24h: 201n })).toBe(10);
  });

  it('gives age by the second up to 180 days, rounded half up', () => {
    expect(pointsOf('age', { createdAtSeconds: at })).toBe(0);
    expect(pointsOf('age', { createdAtSeconds: at + day })).toBe(0);
    expect(pointsOf('age', { createdAtSeconds: at - 90 * day })).toBe(5);
    // a hundredth of a point is 15,552 seconds; half of it is 7,776
    expect(pointsOf('age', { createdAtSeconds: at - 7_775 })).toBe(0);
    expect(pointsOf('age', { createdAtSeconds: at - 7_776 })).toBe(0.01);
    expect(pointsOf('age', { createdAtSeconds: at - 181 * day })).toBe(10);
  });

  it('gives 5 for known and standard code, 5 for a jetton known to be not mintable', () => {
    expect(pointsOf('contract', { isStandardCode: true })).toBe(5);
    expect(pointsOf('contract', { isStandardCode: false, mintable: false })).toBe(5);
    expect(pointsOf('contract', { mintable: true })).toBe(0);
    expect(pointsOf('contract', { isStandardCode: true, mintable: false })).toBe(10);
  });

  it('gives what the ten greatest do not hold, and nothing where balances or supply are unknown or 0', () => {
    expect(pointsOf('concentration', { topTenBalances: 25n, circulatingSupply: 100n })).toBe(3.75);
    expect(pointsOf('concentration', { topTenBalances: 999n, circulatingSupply: 1_000n })).toBe(0.01); // 0.005
    expect(pointsOf('concentration', { topTenBalances: 101n, circulatingSupply: 100n })).toBe(0);
    expect(pointsOf('concentration', { circulatingSupply: 100n })).toBe(0);
    expect(pointsOf('concentration', { topTenBalances: 0n, circulatingSupply: 100n })).toBe(0);
    expect(pointsOf('concentration', { topTenBalances: 5n })).toBe(0);
  });

  it('rounds the sum of the rounded parts half up', () => {
    expect(scoreOfActivity(9n)).toBe(0); // 0.45
    expect(scoreOfActivity(10n)).toBe(1); // 0.50
    expect(scoreOfActivity(30n)).toBe(2); // 1.50
  });

  it('writes points as JSON with at most two decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 7n }), (whole) => {
        const text = JSON.stringify(pointsOf('liquidity', { liquidityUsd: usd(whole) }));
        expect(text).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
    );
  });

  it('stays within its bounds and never falls when an input gets better', () => {
    const natural = fc.bigInt({ min: 0n, max: 10n ** 14n });
    fc.assert(
      fc.property(natural, natural, natural, natural, (liquidity, holders, traders24h, more) => {
        const inputs = { ...nothing, liquidityUsd: usd(liquidity), holders, traders24h };
        const { score } = trustScoreOf(inputs);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        for (const better of [
          { liquidityUsd: usd(liquidity + more) },
          { holders: holders + more },
          { traders24h: traders24h + more },
        ]) {
          expect(trustScoreOf({ ...inputs, ...better }).score).toBeGreaterThanOrEqual(score);
        }
      }),
    );
  });
});
