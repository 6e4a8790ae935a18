import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { capsOf, supplyOf } from './supply.js';

const inputs = { metadataTotalSupply: undefined, balanceSum: 0n, burnedSum: 0n, balancesComplete: false };
const huge = 2n ** 200n + 1n;

describe('the supply of a jetton', () => {
  it('is that of the metadata before the sum of balances, of any size', () => {
    expect(supplyOf({ ...inputs, metadataTotalSupply: huge, balanceSum: 7n, burnedSum: 1n })).toEqual({
      totalSupply: huge,
      circulatingSupply: huge - 1n,
      isComplete: true,
    });
    expect(supplyOf({ ...inputs, balanceSum: 7n, burnedSum: 2n })).toEqual({
      totalSupply: 7n,
      circulatingSupply: 5n,
      isComplete: false,
    });
  });

  it('is complete when it rests on balances only with all balances', () => {
    expect(supplyOf({ ...inputs, balanceSum: 7n, balancesComplete: true }).isComplete).toBe(true);
    expect(supplyOf({ ...inputs, metadataTotalSupply: 0n }).isComplete).toBe(true);
  });

  it('that circulates is never below 0 nor above the total', () => {
    const size = fc.bigInt({ min: 0n, max: 2n ** 128n });
    fc.assert(
      fc.property(fc.option(size, { nil: undefined }), size, size, (metadataTotalSupply, balanceSum, burnedSum) => {
        const supply = supplyOf({ ...inputs, metadataTotalSupply, balanceSum, burnedSum });
        expect(supply.circulatingSupply >= 0n && supply.circulatingSupply <= supply.totalSupply).toBe(true);
        expect(supply.circulatingSupply === 0n || supply.circulatingSupply + burnedSum === supply.totalSupply).toBe(
          true,
        );
      }),
    );
  });
});

describe('fdmc and mcap', () => {
  const supply = { totalSupply: 3_000_000_000n, circulatingSupply: 1_000_000_000n, isComplete: true };

  it('are priceUsd as emitted × supply / 10^decimals, rounded once', () => {
    expect(capsOf({ value: '1234567890123', decimals: 12 }, supply, 9)).toEqual({
      fdmc: { value: '3703704', decimals: 6 }, // 3.703703670369
      mcap: { value: '1234568', decimals: 6 },
    });
    expect(capsOf({ value: '1', decimals: 0 }, supply, 255)).toEqual({
      fdmc: { value: '0', decimals: 6 },
      mcap: { value: '0', decimals: 6 },
    });
    expect(capsOf({ value: '5', decimals: 1 }, { ...supply, totalSupply: huge }, 0).fdmc).toEqual({
      value: String(huge * 500_000n),
      decimals: 6,
    });
  });

  it('are absent without a price or while the supply is not complete', () => {
    const absent = { fdmc: undefined, mcap: undefined };
    expect(capsOf(undefined, supply, 9)).toEqual(absent);
    expect(capsOf({ value: '0', decimals: 6 }, supply, 9)).toEqual(absent);
    expect(capsOf({ value: '1', decimals: 0 }, { ...supply, isComplete: false }, 9)).toEqual(absent);
  });

  it('are 0, not absent, for a complete supply of 0', () => {
    const none = { totalSupply: 0n, circulatingSupply: 0n, isComplete: true };
    expect(capsOf({ value: '1', decimals: 0 }, none, 9).mcap).toEqual({ value: '0', decimals: 6 });
  });
});
