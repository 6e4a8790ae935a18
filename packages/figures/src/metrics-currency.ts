import { type AmountText, isPrice, priceAmount, priceDecimals, roundedAmount, volumeDecimals } from './amounts.js';
import type { Scaled } from './exact.js';
import { productOf, rationalOf, scaledOf } from './rational.js';
import { capOf, type Supply } from './supply.js';

/** A currency to convert metrics to; `rate` is units of the fiat for one usd on C's UTC day. */
export type MetricsCurrency =
  | { readonly kind: 'ton' }
  | { readonly kind: 'usd' }
  | { readonly kind: 'fiat'; readonly rate: Scaled };

/** The metrics of a jetton as emitted; undefined or, for prices, value "0" where there is none. */
export interface EmittedMetrics {
  readonly price: AmountText | undefined;
  readonly priceUsd: AmountText | undefined;
  readonly liquidityUsd: AmountText | undefined;
  /** Liquidity in ton. */
  readonly tvl: AmountText | undefined;
  readonly fdmc: AmountText | undefined;
  readonly mcap: AmountText | undefined;
  readonly supply: Supply;
  /** Decimals of the jetton. */
  readonly decimals: number;
}

/** The …Currency fields of JettonMetrics; undefined where a field is absent. */
export interface CurrencyMetrics {
  readonly priceCurrency: AmountText | undefined;
  readonly liquidityCurrency: AmountText | undefined;
  readonly fdmcCurrency: AmountText | undefined;
  readonly mcapCurrency: AmountText | undefined;
}

const known = (price: AmountText | undefined): AmountText | undefined =>
  price !== undefined && isPrice(price) ? price : undefined;

/** An amount in usd as emitted × rate, rounded once to the decimals of amounts in a fiat. */
export const fiatAmount = (usd: AmountText, rate: Scaled): AmountText =>
  roundedAmount(productOf(scaledOf(usd), rate), volumeDecimals.fiat);

/**
 * A price in usd as emitted × rate, written as a price; undefined where there is none or the product is written as 0.
 * Source: docs/statistics.md, "Price of a jetton", priceCurrency.
 */
export function fiatPrice(priceUsd: AmountText | undefined, rate: Scaled): AmountText | undefined {
  if (priceUsd === undefined || !isPrice(priceUsd)) return undefined;
  return known(priceAmount(rationalOf(productOf(scaledOf(priceUsd), rate)), priceDecimals.fiat));
}

/**
 * The …Currency fields: the figure in usd as emitted × the rate of C's UTC day, `usd` as it is; for `ton` the price in
 * ton, price × supply / 10^decimals, and tvl for liquidity. Undefined where the input is.
 * Source: docs/statistics.md, "Metrics", …Currency, and "Price of a jetton", priceCurrency.
 */
export function metricsInCurrency(metrics: EmittedMetrics, currency: MetricsCurrency): CurrencyMetrics {
  const { price, priceUsd, liquidityUsd, tvl, fdmc, mcap, supply, decimals } = metrics;
  if (currency.kind === 'usd') {
    return { priceCurrency: known(priceUsd), liquidityCurrency: liquidityUsd, fdmcCurrency: fdmc, mcapCurrency: mcap };
  }
  if (currency.kind === 'ton') {
    const priced = supply.isComplete ? price : undefined;
    return {
      priceCurrency: known(price),
      liquidityCurrency: tvl,
      fdmcCurrency: capOf(priced, supply.totalSupply, decimals, volumeDecimals.ton),
      mcapCurrency: capOf(priced, supply.circulatingSupply, decimals, volumeDecimals.ton),
    };
  }
  const { rate } = currency;
  return {
    priceCurrency: fiatPrice(priceUsd, rate),
    liquidityCurrency: liquidityUsd && fiatAmount(liquidityUsd, rate),
    fdmcCurrency: fdmc && fiatAmount(fdmc, rate),
    mcapCurrency: mcap && fiatAmount(mcap, rate),
  };
}
