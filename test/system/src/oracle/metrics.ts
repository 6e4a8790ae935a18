import { decimalsOf, type Assets } from './assets.js';
import { priceAmount, type Amount } from './change.js';
import { divideRounded, type Fraction } from './exact.js';
import type { PoolMessage } from './state-messages.js';

/** The two prices of a jetton as emitted. */
export interface Prices {
  readonly ton: Amount | undefined;
  readonly usd: Amount | undefined;
}

export const fractionOf = ({ value, decimals }: Amount): Fraction => ({
  numerator: BigInt(value),
  denominator: 10n ** BigInt(decimals),
});
const times = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});
const plus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});
const zero: Fraction = { numerator: 0n, denominator: 1n };

export const rounded = ({ numerator, denominator }: Fraction, decimals: number): Amount => ({
  value: divideRounded(numerator * 10n ** BigInt(decimals), denominator).toString(),
  decimals,
});

/** A price as emitted; undefined where it is written as 0. */
export function emittedPrice(price: Fraction | undefined, naturalScale: number): Amount | undefined {
  const amount = priceAmount(price, naturalScale);
  return amount.value === '0' ? undefined : amount;
}

/** What one whole native is worth in usd: by the first stable that has both prices. */
function nativeUsdOf(pricesOf: (asset: string) => Prices, { stables }: Assets): Fraction | undefined {
  for (const stable of stables) {
    const { ton, usd } = pricesOf(stable);
    if (ton === undefined || usd === undefined) continue;
    const [a, b] = [fractionOf(usd), fractionOf(ton)];
    return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
  }
  return undefined;
}

export interface PoolWorth {
  readonly usd: Fraction | undefined;
  readonly ton: Fraction | undefined;
}

/** Value of pools in usd and in ton (docs/statistics.md, "Metrics"); 0 of one that is not liquid. */
export function poolWorths(pricesOf: (asset: string) => Prices, assets: Assets): (pool: PoolMessage) => PoolWorth {
  const nativeUsd = nativeUsdOf(pricesOf, assets);
  const unitOf = (asset: string): Fraction | undefined => {
    if (asset === 'ton' || assets.native.has(asset)) return nativeUsd;
    if (assets.stables.has(asset)) return { numerator: 1n, denominator: 1n };
    const { usd } = pricesOf(asset);
    return assets.lsds.has(asset) && usd !== undefined ? fractionOf(usd) : undefined;
  };
  const sideOf = (asset: string | null, reserve: bigint | null): Fraction | undefined => {
    const unit = asset === null || reserve === null ? undefined : unitOf(asset);
    if (unit === undefined || asset === null || reserve === null) return undefined;
    const decimals = assets.native.has(asset) ? 9 : decimalsOf(asset, assets);
    return times(unit, { numerator: reserve, denominator: 10n ** BigInt(decimals) });
  };
  const usdOf = (pool: PoolMessage): Fraction | undefined => {
    if (pool.tvlUsd !== null) return { numerator: pool.tvlUsd, denominator: 10n ** 18n };
    const left = sideOf(pool.left, pool.reservesLeft);
    const right = sideOf(pool.right, pool.reservesRight);
    if (left !== undefined && right !== undefined) return plus(left, right);
    const only = left ?? right;
    return only && plus(only, only);
  };
  return (pool) => {
    if (pool.isLiquid === false) return { usd: zero, ton: zero };
    const usd = usdOf(pool);
    if (pool.tvlTon !== null) return { usd, ton: { numerator: pool.tvlTon, denominator: 10n ** 18n } };
    const inverse = nativeUsd && { numerator: nativeUsd.denominator, denominator: nativeUsd.numerator };
    return { usd, ton: usd && inverse && times(usd, inverse) };
  };
}

/** The sum of what is known, rounded once; undefined where nothing is. */
export function total(values: readonly (Fraction | undefined)[], decimals: number): Amount | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : rounded(known.reduce(plus, zero), decimals);
}

/** price as emitted × supply / 10^jetton decimals. */
export const capOf = (price: Amount | undefined, supply: bigint, jettonDecimals: number, decimals: number) =>
  price &&
  rounded(times(fractionOf(price), { numerator: supply, denominator: 10n ** BigInt(jettonDecimals) }), decimals);

/** An amount in usd as emitted, in a fiat of this rate. */
export const converted = (usd: Amount | undefined, rate: Fraction): Amount | undefined =>
  usd && rounded(times(fractionOf(usd), rate), 6);

export const convertedPrice = (usd: Amount | undefined, rate: Fraction): Amount | undefined =>
  usd && emittedPrice(times(fractionOf(usd), rate), 6);
