import { type Assets, nativeAsset } from '@jetton-analytics/feed';
import {
  type AmountText,
  pow10,
  type Rational,
  rationalProduct,
  rationalQuotient,
  rationalSum,
  roundedQuotientAmount,
  scaledFromDecimal,
  volumeDecimals,
} from '@jetton-analytics/figures';
import type { PoolState } from '../pools/pool-state.js';
import { FewMap } from '../stores/few-map.js';
import type { Quotes } from './quotes.js';

/**
 * The liquidity of pools as a sum with the prices of the quote assets left open, exact. Sums of thousands of pools are
 * moved on pool by pool, and a new price costs a few multiplications however many pools there are.
 */
export interface LiquidityForm {
  /** What does not depend on a price, in usd × 10^18. */
  usd: bigint;
  /** Raw units of each quote asset with a price, in usd. */
  readonly quotes: FewMap<bigint>;
  /** Pools that give a value in usd, or a definite 0. */
  usdCount: number;
  /** In ton × 10^18: of pools that tell their value in ton. */
  ton: bigint;
  tonCount: number;
  /** Of the other pools: the part of `usd` and of `quotes` whose value in ton is that in usd / nativeUsd. */
  usdForTon: bigint;
  readonly quotesForTon: FewMap<bigint>;
  usdForTonCount: number;
}

const stateDecimals = 18;
const quoteDecimals = 9;
const stableScale = pow10(stateDecimals - 6);

export const emptyForm = (): LiquidityForm => ({
  usd: 0n,
  quotes: new FewMap(),
  usdCount: 0,
  ton: 0n,
  tonCount: 0,
  usdForTon: 0n,
  quotesForTon: new FewMap(),
  usdForTonCount: 0,
});

function addQuote(quotes: FewMap<bigint>, asset: string, amount: bigint): void {
  const sum = (quotes.get(asset) ?? 0n) + amount;
  if (sum === 0n) quotes.delete(asset);
  else quotes.set(asset, sum);
}

interface Side {
  readonly asset: string;
  /** Constant in usd × 10^18; undefined: raw units of the asset, which is native or an LSD. */
  readonly usd: bigint | undefined;
  readonly raw: bigint;
}

function sideOf(asset: string, reserve: bigint | undefined, assets: Assets, quotes: Quotes): Side | undefined {
  if (reserve === undefined) return undefined;
  if (assets.isStable(asset)) return { asset, usd: reserve * stableScale, raw: 0n };
  const isPriced = asset === nativeAsset ? quotes.nativeUsd !== undefined : quotes.lsdUsd.has(asset);
  return isPriced ? { asset, usd: undefined, raw: reserve } : undefined;
}

/**
 * Adds a pool to a form, or takes it away again with `sign` −1. Only which quote assets have a price matters of
 * `quotes`. Source: docs/statistics.md, "Metrics", value of a pool and liquidityUsd.
 */
export function addPool(form: LiquidityForm, state: PoolState, sign: 1n | -1n, assets: Assets, quotes: Quotes): void {
  const one = Number(sign);
  if (state.isLiquid === false) {
    form.usdCount += one;
    form.tonCount += one;
    return;
  }
  const hasTon = state.tvlTon !== undefined;
  if (state.tvlTon !== undefined) {
    form.ton += sign * scaledFromDecimal(state.tvlTon, stateDecimals);
    form.tonCount += one;
  }
  const addUsd = (usd: bigint) => {
    form.usd += usd;
    if (!hasTon) form.usdForTon += usd;
  };
  const count = () => {
    form.usdCount += one;
    if (!hasTon) form.usdForTonCount += one;
  };
  if (state.tvlUsd !== undefined) {
    addUsd(sign * scaledFromDecimal(state.tvlUsd, stateDecimals));
    count();
    return;
  }
  const sides = [
    sideOf(state.leftAsset, state.reservesLeft, assets, quotes),
    sideOf(state.rightAsset, state.reservesRight, assets, quotes),
  ].filter((side) => side !== undefined);
  if (sides.length === 0) return;
  const factor = sides.length === 1 ? 2n * sign : sign;
  for (const { asset, usd, raw } of sides) {
    if (usd !== undefined) addUsd(factor * usd);
    else {
      addQuote(form.quotes, asset, factor * raw);
      if (!hasTon) addQuote(form.quotesForTon, asset, factor * raw);
    }
  }
  count();
}

/** Whether its value changes with a price. */
export const dependsOnQuotes = ({ quotes, usdForTonCount }: LiquidityForm): boolean =>
  quotes.size > 0 || usdForTonCount > 0;

function usdValue(usd: bigint, amounts: FewMap<bigint>, { nativeUsd, lsdUsd }: Quotes): Rational {
  const terms: Rational[] = [{ numerator: usd, denominator: pow10(stateDecimals) }];
  for (const [asset, raw] of amounts) {
    const price = asset === nativeAsset ? nativeUsd : lsdUsd.get(asset);
    if (price === undefined) throw new Error(`no price of ${asset}: the form was made for other quotes`);
    terms.push(rationalProduct(price, { numerator: raw, denominator: pow10(quoteDecimals) }));
  }
  return rationalSum(terms);
}

export interface Liquidity {
  readonly liquidityUsd: AmountText | undefined;
  readonly tvl: AmountText | undefined;
}

/**
 * liquidityUsd and tvl as emitted, each rounded once; undefined where no pool gives a value or a definite 0.
 * Source: docs/statistics.md, "Metrics".
 */
export function liquidityOfForm(form: LiquidityForm, quotes: Quotes): Liquidity {
  const { nativeUsd } = quotes;
  const converts = nativeUsd !== undefined && form.usdForTonCount > 0;
  const ton: Rational = { numerator: form.ton, denominator: pow10(stateDecimals) };
  const tvl = converts
    ? rationalSum([ton, rationalQuotient(usdValue(form.usdForTon, form.quotesForTon, quotes), nativeUsd)])
    : ton;
  return {
    liquidityUsd:
      form.usdCount === 0
        ? undefined
        : roundedQuotientAmount(usdValue(form.usd, form.quotes, quotes), volumeDecimals.fiat),
    tvl: form.tonCount === 0 && !converts ? undefined : roundedQuotientAmount(tvl, volumeDecimals.ton),
  };
}
