import type { Currency } from '@jetton-analytics/common';
import {
  type AmountText,
  type CurrencyMetrics,
  type MetricsCurrency,
  metricsInCurrency,
} from '@jetton-analytics/figures';
import type { JettonRecord } from '@jetton-analytics/read-model';
import { dayOf, type Rates } from '@jetton-analytics/rates';
import { amountJson } from './jetton-text.js';

/**
 * How figures in usd are brought to a currency at an instant (Unix seconds); undefined while no rate of a fiat is known.
 * Source: docs/statistics.md, "Metrics".
 */
export function metricsCurrency(currency: Currency, rates: Rates, at: number): MetricsCurrency | undefined {
  if (currency === 'ton' || currency === 'usd') return { kind: currency };
  const rate = rates.on(currency, dayOf(at));
  return rate && { kind: 'fiat', rate };
}

const optional = (name: string, amount: AmountText | undefined): string =>
  amount === undefined ? '' : `,"${name}":${amountJson(amount)}`;

/** The figures of a record in a currency; undefined where a figure is not known. */
export const inCurrency = (record: JettonRecord, currency: MetricsCurrency | undefined): Partial<CurrencyMetrics> =>
  currency === undefined ? {} : metricsInCurrency(record, currency);

/** A JettonMetrics object as JSON text. */
export function metricsText(record: JettonRecord, currency: MetricsCurrency | undefined): string {
  const converted = inCurrency(record, currency);
  return [
    `{"address":"${record.address}"`,
    optional('price', record.price),
    optional('priceUsd', record.priceUsd),
    optional('priceCurrency', converted.priceCurrency),
    `,"holdersCount":"${record.holdersCount}"`,
    optional('liquidityUsd', record.liquidityUsd),
    optional('liquidityCurrency', converted.liquidityCurrency),
    optional('fdmc', record.fdmc),
    optional('fdmcCurrency', converted.fdmcCurrency),
    optional('mcap', record.mcap),
    optional('mcapCurrency', converted.mcapCurrency),
    `,"circulatingSupply":"${record.supply.circulatingSupply}","trustScore":${record.trustScore}}`,
  ].join('');
}
