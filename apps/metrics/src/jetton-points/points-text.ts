import type { Currency } from '@jetton-analytics/common';
import { type AmountText, formatInstant, type TrustScore } from '@jetton-analytics/figures';
import type { JettonRecord } from '@jetton-analytics/read-model';
import type { Rates } from '@jetton-analytics/rates';
import { inCurrency, metricsCurrency } from '../answers/metrics-text.js';

/** What the points are converted with: the requested currency at the rate of the UTC day of `at` (Unix seconds). */
export interface Conversion {
  readonly currency: Currency;
  readonly rates: Rates;
  readonly at: number;
}

const converted = (record: JettonRecord, { currency, rates, at }: Conversion) =>
  inCurrency(record, metricsCurrency(currency, rates, at));

const state = (price: AmountText | undefined, changedAt: number | undefined) =>
  price === undefined || changedAt === undefined ? undefined : { price, changedAt: formatInstant(changedAt) };

/** Members that are undefined are absent from JSON. */
const json = (value: object): string => JSON.stringify(value);

/** `GET /v1/jettons/{address}/price`. */
export function priceText(record: JettonRecord, conversion: Conversion): string {
  const changedAt = conversion.currency === 'ton' ? record.priceChangedAt : record.priceUsdChangedAt;
  return json({
    ton: state(record.price, record.priceChangedAt),
    usd: state(record.priceUsd, record.priceUsdChangedAt),
    currency: state(converted(record, conversion).priceCurrency, changedAt),
  });
}

/** `GET /v1/jettons/{address}/liquidity`. */
export function liquidityText(record: JettonRecord, conversion: Conversion): string {
  const { liquidityUsd, tvl, liquidityChangedAt } = record;
  return json({
    value: liquidityUsd,
    ton: tvl,
    usd: liquidityUsd,
    currency: converted(record, conversion).liquidityCurrency,
    changedAt: liquidityChangedAt === undefined ? undefined : formatInstant(liquidityChangedAt),
  });
}

/** `GET /v1/jettons/{address}/holders`. */
export function holdersText({ holdersCount, holdersChangedAt }: JettonRecord): string {
  return json({
    value: holdersCount.toString(),
    changedAt: holdersChangedAt === undefined ? undefined : formatInstant(holdersChangedAt),
  });
}

/** `GET /v1/jettons/{address}/trust-score`; `at` is the instant of the figures behind it, Unix seconds. */
export function trustScoreText({ score, version, parts }: TrustScore, at: number): string {
  return json({ score, updatedAt: formatInstant(at), version, parts });
}
