import { type AmountText, isPrice, roundedQuotientAmount, volumeDecimals } from './amounts.js';
import { pow10, type Rational, type Scaled } from './exact.js';
import { rationalOf, rationalQuotient, rationalSum, scaledOf } from './rational.js';

/** What one whole unit of a quote asset is worth. */
export interface QuoteUnit {
  readonly usd: Rational;
  readonly decimals: number;
}

export interface PoolSide {
  /** Raw units; undefined: null in the state. */
  readonly reserve: bigint | undefined;
  /** Undefined: no quote asset, or one without a price. */
  readonly quote: QuoteUnit | undefined;
}

/** The newest state of a pool, as far as its value rests on it. */
export interface PoolReserves {
  readonly tvlUsd: Scaled | undefined;
  readonly tvlTon: Scaled | undefined;
  /** Undefined: null in the state, which counts as liquid. */
  readonly isLiquid: boolean | undefined;
  readonly left: PoolSide;
  readonly right: PoolSide;
}

/** Exact; a value that is not known is undefined. */
export interface PoolValue {
  readonly usd: Rational | undefined;
  readonly ton: Rational | undefined;
}

/** The two prices of a jetton as emitted; value "0" where there is none. */
export interface EmittedPrices {
  readonly price: AmountText;
  readonly priceUsd: AmountText;
}

const nativeDecimals = 9;
const stableDecimals = 6;
const lsdDecimals = 9;
const zero: Rational = { numerator: 0n, denominator: 1n };

/**
 * nativeUsd: priceUsd / price of the first stable that has both, exact. Takes the prices as emitted of the stables in
 * the order of the settings, undefined for one that never traded. Source: docs/statistics.md, "Price of a jetton".
 */
export function nativeUsdOf(stables: readonly (EmittedPrices | undefined)[]): Rational | undefined {
  const first = stables.find((prices) => prices !== undefined && isPrice(prices.price) && isPrice(prices.priceUsd));
  if (first === undefined) return undefined;
  return rationalQuotient(rationalOf(scaledOf(first.priceUsd)), rationalOf(scaledOf(first.price)));
}

/** A stable is worth 1 usd. Source: docs/statistics.md, "Metrics", value of a pool. */
export const stableUnit: QuoteUnit = { usd: { numerator: 1n, denominator: 1n }, decimals: stableDecimals };

/** Native is worth nativeUsd. Source: docs/statistics.md, "Metrics", value of a pool. */
export const nativeUnit = (nativeUsd: Rational | undefined): QuoteUnit | undefined =>
  nativeUsd && { usd: nativeUsd, decimals: nativeDecimals };

/** An LSD is worth its priceUsd as emitted. Source: docs/statistics.md, "Metrics", value of a pool. */
export const lsdUnit = (priceUsd: AmountText | undefined): QuoteUnit | undefined =>
  priceUsd !== undefined && isPrice(priceUsd)
    ? { usd: rationalOf(scaledOf(priceUsd)), decimals: lsdDecimals }
    : undefined;

/** Undefined for a side that is no quote side: a null reserve, no quote asset or no price. */
function sideUsd({ reserve, quote }: PoolSide): Rational | undefined {
  if (reserve === undefined || quote === undefined) return undefined;
  return { numerator: reserve * quote.usd.numerator, denominator: pow10(quote.decimals) * quote.usd.denominator };
}

const twice = ({ numerator, denominator }: Rational): Rational => ({ numerator: 2n * numerator, denominator });

function usdOf({ tvlUsd, left, right }: PoolReserves): Rational | undefined {
  if (tvlUsd !== undefined) return rationalOf(tvlUsd);
  const leftUsd = sideUsd(left);
  const rightUsd = sideUsd(right);
  if (leftUsd !== undefined && rightUsd !== undefined) return rationalSum([leftUsd, rightUsd]);
  const only = leftUsd ?? rightUsd;
  return only && twice(only);
}

/**
 * The value of a pool: in usd `tvl_usd` of its newest state; else the sum of both sides if both are quote assets, 2 × the
 * quote side if one is; else none. In ton `tvl_ton`, else the value in usd / nativeUsd. Exact. Whether the pool is
 * liquid does not matter here. Source: docs/statistics.md, "Metrics", value of a pool.
 */
export function poolValue(pool: PoolReserves, nativeUsd: Rational | undefined): PoolValue {
  const usd = usdOf(pool);
  if (pool.tvlTon !== undefined) return { usd, ton: rationalOf(pool.tvlTon) };
  return { usd, ton: usd && nativeUsd && rationalQuotient(usd, nativeUsd) };
}

/**
 * What a pool adds to the liquidity of its jettons: its value, 0 where `is_liquid` is false, null counts as liquid.
 * Source: docs/statistics.md, "Metrics", liquidityUsd.
 */
export const poolLiquidity = (pool: PoolReserves, nativeUsd: Rational | undefined): PoolValue =>
  pool.isLiquid === false ? { usd: zero, ton: zero } : poolValue(pool, nativeUsd);

function total(values: readonly (Rational | undefined)[], decimals: number): AmountText | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : roundedQuotientAmount(rationalSum(known), decimals);
}

/**
 * liquidityUsd and tvl (the same sum in ton) of a jetton: exact sums over its pools' {@link poolLiquidity}, each rounded
 * once. Undefined where no pool gives a value or a definite 0. Source: docs/statistics.md, "Metrics", liquidityUsd and tvl.
 */
export function liquidityOf(pools: readonly PoolValue[]): {
  readonly liquidityUsd: AmountText | undefined;
  readonly tvl: AmountText | undefined;
} {
  return {
    liquidityUsd: total(
      pools.map(({ usd }) => usd),
      volumeDecimals.fiat,
    ),
    tvl: total(
      pools.map(({ ton }) => ton),
      volumeDecimals.ton,
    ),
  };
}
