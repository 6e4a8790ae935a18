import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { AmountText } from './amounts.js';
import { parseDecimal } from './decimal-text.js';
import {
  liquidityOf,
  lsdUnit,
  nativeUnit,
  nativeUsdOf,
  poolLiquidity,
  type PoolReserves,
  poolValue,
  type QuoteUnit,
  stableUnit,
} from './pool-value.js';

const amount = (value: string, decimals: number): AmountText => ({ value, decimals });
// 5.25 usd for one ton
const nativeUsd = { numerator: 21n, denominator: 4n };
const native = nativeUnit(nativeUsd);
const side = (reserve: bigint | undefined, quote?: QuoteUnit) => ({ reserve, quote });
const pool = (overrides: Partial<PoolReserves> = {}): PoolReserves => ({
  tvlUsd: undefined,
  tvlTon: undefined,
  isLiquid: undefined,
  left: side(undefined),
  right: side(undefined),
  ...overrides,
});
const ofQuoteSide = (quote: QuoteUnit | undefined, reserve: bigint) =>
  liquidity(pool({ left: side(7n), right: side(reserve, quote) })).liquidityUsd;
const worth = (usd: string, isLiquid?: boolean) => pool({ tvlUsd: parseDecimal(usd), isLiquid });
const liquidity = (...pools: PoolReserves[]) => liquidityOf(pools.map((one) => poolLiquidity(one, nativeUsd)));

describe('nativeUsd', () => {
  it('is priceUsd / price, exact, of the first stable that has both', () => {
    const none = amount('0', 9);
    const usdt = { price: amount('190476190476', 12), priceUsd: amount('100000000000', 11) };
    const other = { price: amount('2', 1), priceUsd: amount('1', 0) };
    const rate = nativeUsdOf([undefined, { ...other, price: none }, { ...other, priceUsd: none }, usdt, other]);
    // 1 / 0.190476190476
    expect(rate && rate.numerator * 190_476_190_476n === rate.denominator * 10n ** 12n).toBe(true);
    expect(nativeUsdOf([undefined, { ...usdt, price: none }])).toBeUndefined();
  });
});

describe('the value of a pool', () => {
  it('is tvl_usd and tvl_ton of its state whatever the reserves are', () => {
    const stated = pool({
      tvlUsd: parseDecimal('12.500000000000000000'),
      tvlTon: parseDecimal('2'),
      left: side(10n ** 20n, native),
    });
    expect(liquidity(stated)).toEqual({ liquidityUsd: amount('12500000', 6), tvl: amount('2000000000', 9) });
  });

  it('is the sum of both sides if both are quote assets', () => {
    // 2 ton at 5.25 and 3 usd
    const both = pool({ left: side(2_000_000_000n, native), right: side(3_000_000n, stableUnit) });
    expect(liquidity(both).liquidityUsd).toEqual(amount('13500000', 6));
    // 13.5 / 5.25 = 2.571428571428…
    expect(liquidity(both).tvl).toEqual(amount('2571428571', 9));
  });

  it('is twice the quote side if one is: a stable at 1 usd, native at nativeUsd, an LSD at its priceUsd', () => {
    expect(ofQuoteSide(stableUnit, 1_500_000n)).toEqual(amount('3000000', 6));
    expect(ofQuoteSide(native, 1_000_000_000n)).toEqual(amount('10500000', 6));
    expect(ofQuoteSide(lsdUnit(amount('55', 1)), 1_000_000_000n)).toEqual(amount('11000000', 6));
  });

  it('takes a side with a null reserve or without a price for no quote side', () => {
    const right = side(1_000_000n, stableUnit);
    expect(liquidity(pool({ left: side(undefined, native), right })).liquidityUsd).toEqual(amount('2000000', 6));
    expect(liquidity(pool({ left: side(5n, nativeUnit(undefined)), right })).liquidityUsd).toEqual(
      amount('2000000', 6),
    );
    expect(lsdUnit(amount('0', 6))).toBeUndefined();
    expect(lsdUnit(undefined)).toBeUndefined();
  });

  it('is unknown where there is neither a tvl nor a quote side', () => {
    const unknown = pool({ left: side(5n), right: side(6n) });
    expect(poolValue(unknown, nativeUsd)).toEqual({ usd: undefined, ton: undefined });
    expect(liquidity(unknown)).toEqual({ liquidityUsd: undefined, tvl: undefined });
  });

  it('in ton is tvl_ton, else the value in usd / nativeUsd, and unknown without either', () => {
    const inUsd = pool({ tvlUsd: parseDecimal('21') });
    expect(liquidity(inUsd).tvl).toEqual(amount('4000000000', 9));
    expect(poolValue(inUsd, undefined).ton).toBeUndefined();
    expect(poolValue(pool({ tvlTon: parseDecimal('1.5') }), undefined)).toEqual({
      usd: undefined,
      ton: { numerator: 15n, denominator: 10n },
    });
  });
});

describe('liquidityUsd and tvl', () => {
  it('count 0 for a pool that is not liquid, null as liquid', () => {
    expect(liquidity(worth('10', false), worth('5', true), worth('2')).liquidityUsd).toEqual(amount('7000000', 6));
  });

  it('are a definite 0 where the only pools are not liquid or empty, and absent where nothing is known', () => {
    const unknown = pool({ left: side(5n) });
    expect(liquidity(unknown, worth('10', false))).toEqual({ liquidityUsd: amount('0', 6), tvl: amount('0', 9) });
    expect(liquidity(worth('0'))).toEqual({ liquidityUsd: amount('0', 6), tvl: amount('0', 9) });
    expect(liquidity(unknown, unknown).liquidityUsd).toBeUndefined();
    expect(liquidity()).toEqual({ liquidityUsd: undefined, tvl: undefined });
  });

  it('are rounded once, after the sum', () => {
    expect(liquidity(worth('0.0000004'), worth('0.0000004')).liquidityUsd).toEqual(amount('1', 6));
  });

  it('do not depend on the order of the pools', () => {
    const usd = fc.bigInt({ min: 0n, max: 10n ** 30n });
    const some = fc.oneof(
      usd.map((value) => pool({ tvlUsd: { value, decimals: 18 } })),
      usd.map((reserve) => pool({ left: side(reserve, native) })),
      usd.map((reserve) => pool({ left: side(reserve, stableUnit), right: side(reserve, native) })),
      usd.map((reserve) => pool({ right: side(reserve, lsdUnit(amount('555555555557', 11))) })),
    );
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 20 }), (pools) => {
        expect(liquidity(...pools.toReversed())).toEqual(liquidity(...pools));
      }),
    );
  });
});
