import { describe, expect, it } from '@jest/globals';
import { nativeAsset } from '@jetton-analytics/feed';
import { liquidityOf, lsdUnit, nativeUnit, parseDecimal, poolLiquidity, stableUnit } from '@jetton-analytics/figures';
import * as fc from 'fast-check';
import { assets, lsd, otherLsd, poolState, rawAddress, stable } from '../../test/pool-state.js';
import type { PoolState } from '../pools/pool-state.js';
import { addPool, dependsOnQuotes, emptyForm, liquidityOfForm } from './liquidity-form.js';
import { noQuotes, type Quotes } from './quotes.js';

const lsdPrice = { value: '3210000', decimals: 6 };

/** Pool by pool by the formulas of the figures. */
function expected(states: readonly PoolState[], quotes: Quotes) {
  const unit = (asset: string) => {
    if (asset === nativeAsset) return nativeUnit(quotes.nativeUsd);
    if (assets.isStable(asset)) return stableUnit;
    return quotes.lsdUsd.has(asset) ? lsdUnit(lsdPrice) : undefined;
  };
  return liquidityOf(
    states.map((state) =>
      poolLiquidity(
        {
          tvlUsd: state.tvlUsd === undefined ? undefined : parseDecimal(state.tvlUsd),
          tvlTon: state.tvlTon === undefined ? undefined : parseDecimal(state.tvlTon),
          isLiquid: state.isLiquid,
          left: { reserve: state.reservesLeft, quote: unit(state.leftAsset) },
          right: { reserve: state.reservesRight, quote: unit(state.rightAsset) },
        },
        quotes.nativeUsd,
      ),
    ),
  );
}

const asset = fc.constantFrom('ton', stable, lsd, otherLsd, rawAddress('a1'), rawAddress('a2'), '');
const reserve = fc.option(fc.bigInt({ min: 0n, max: 2n ** 130n }), { nil: undefined });
const tvl = fc.option(
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }))
    .map(([whole, fraction]) => `${whole}.${fraction.toString().padStart(18, '0')}`),
  { nil: undefined },
);
const state = fc
  .record({
    leftAsset: asset,
    rightAsset: asset,
    reservesLeft: reserve,
    reservesRight: reserve,
    tvlUsd: tvl,
    tvlTon: tvl,
    isLiquid: fc.constantFrom(undefined, true, false),
  })
  .map((overrides) => poolState(overrides));
const lsdUsd = new Map([[lsd, { numerator: 3_210_000n, denominator: 1_000_000n }]]);
const quotes = fc.constantFrom<Quotes>(
  noQuotes,
  { nativeUsd: undefined, lsdUsd },
  { nativeUsd: { numerator: 5_123_456n, denominator: 1_000_001n }, lsdUsd: new Map() },
  { nativeUsd: { numerator: 1n, denominator: 3n }, lsdUsd },
);

describe('the liquidity of pools with prices left open', () => {
  it('is the sum of the pools’ values, whatever they tell and whichever prices are known', () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 6 }), quotes, (states, known) => {
        const form = emptyForm();
        for (const one of states) addPool(form, one, 1n, assets, known);
        expect(liquidityOfForm(form, known)).toEqual(expected(states, known));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes a pool away as exactly as it was added', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 5 }), quotes, (states, known) => {
        const form = emptyForm();
        for (const one of states) addPool(form, one, 1n, assets, known);
        const [gone, ...left] = states;
        if (gone !== undefined) addPool(form, gone, -1n, assets, known);
        expect(liquidityOfForm(form, known)).toEqual(expected(left, known));
        for (const one of left) addPool(form, one, -1n, assets, known);
        expect(form).toEqual(emptyForm());
      }),
    );
  });

  it('says whether a price matters: not where the pools tell both values themselves', () => {
    const known = { nativeUsd: { numerator: 5n, denominator: 1n }, lsdUsd: new Map() };
    const told = emptyForm();
    addPool(told, poolState({ tvlUsd: '1', tvlTon: '2' }), 1n, assets, known);
    expect(dependsOnQuotes(told)).toBe(false);
    const reserves = emptyForm();
    addPool(reserves, poolState(), 1n, assets, known);
    expect(dependsOnQuotes(reserves)).toBe(true);
    const half = emptyForm();
    addPool(half, poolState({ tvlUsd: '1' }), 1n, assets, known);
    expect(dependsOnQuotes(half)).toBe(true);
  });
});
