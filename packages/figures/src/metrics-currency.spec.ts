import { describe, expect, it } from '@jest/globals';
import { parseDecimal } from './decimal-text.js';
import { type EmittedMetrics, fiatAmount, fiatPrice, metricsInCurrency } from './metrics-currency.js';

const metrics: EmittedMetrics = {
  price: { value: '200000000000', decimals: 11 },
  priceUsd: { value: '1000000000000', decimals: 12 }, // 1 by a carry: still 12 decimals
  liquidityUsd: { value: '1500000', decimals: 6 },
  tvl: { value: '123456789', decimals: 9 },
  fdmc: { value: '3000000', decimals: 6 },
  mcap: { value: '2000001', decimals: 6 },
  supply: { totalSupply: 3_000_000_000n, circulatingSupply: 2_000_000_001n, isComplete: true },
  decimals: 9,
};
const none: EmittedMetrics = {
  ...metrics,
  price: { value: '0', decimals: 9 },
  priceUsd: { value: '0', decimals: 6 },
  liquidityUsd: undefined,
  tvl: undefined,
  fdmc: undefined,
  mcap: undefined,
};
const absent = {
  priceCurrency: undefined,
  liquidityCurrency: undefined,
  fdmcCurrency: undefined,
  mcapCurrency: undefined,
};
const fiat = (rate: string) => ({ kind: 'fiat', rate: parseDecimal(rate) }) as const;

describe('metrics in a currency', () => {
  it('in usd are the figures as emitted, digit for digit', () => {
    expect(metricsInCurrency(metrics, { kind: 'usd' })).toEqual({
      priceCurrency: metrics.priceUsd,
      liquidityCurrency: metrics.liquidityUsd,
      fdmcCurrency: metrics.fdmc,
      mcapCurrency: metrics.mcap,
    });
  });

  it('in ton are the price, tvl, and price × supply with 9 decimals', () => {
    expect(metricsInCurrency(metrics, { kind: 'ton' })).toEqual({
      priceCurrency: metrics.price,
      liquidityCurrency: metrics.tvl,
      fdmcCurrency: { value: '6000000000', decimals: 9 },
      mcapCurrency: { value: '4000000002', decimals: 9 },
    });
  });

  it('in a fiat are the usd figures as emitted × rate: amounts with 6 decimals, the price with 12 digits', () => {
    expect(metricsInCurrency(metrics, fiat('0.87654321'))).toEqual({
      priceCurrency: { value: '876543210000', decimals: 12 },
      liquidityCurrency: { value: '1314815', decimals: 6 }, // 1.314814815
      fdmcCurrency: { value: '2629630', decimals: 6 }, // 2.62962963
      mcapCurrency: { value: '1753087', decimals: 6 }, // 1.75308729654321
    });
    expect(metricsInCurrency(metrics, fiat('25000')).priceCurrency).toEqual({ value: '250000000000', decimals: 7 });
  });

  it('are absent where their input is', () => {
    expect(metricsInCurrency(none, { kind: 'usd' })).toEqual(absent);
    expect(metricsInCurrency(none, { kind: 'ton' })).toEqual(absent);
    expect(metricsInCurrency(none, fiat('1.5'))).toEqual(absent);
  });

  it('have no cap in ton while the supply is not complete', () => {
    const partial = { ...metrics, fdmc: undefined, supply: { ...metrics.supply, isComplete: false } };
    expect(metricsInCurrency(partial, { kind: 'ton' })).toMatchObject({
      priceCurrency: metrics.price,
      fdmcCurrency: undefined,
      mcapCurrency: undefined,
    });
  });

  it('round halves away from zero, and leave out a price that the rate makes 0', () => {
    expect(fiatAmount({ value: '1', decimals: 6 }, parseDecimal('0.5'))).toEqual({ value: '1', decimals: 6 });
    expect(fiatPrice({ value: '1', decimals: 36 }, parseDecimal('0.4'))).toBeUndefined();
  });
});
