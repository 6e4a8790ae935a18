import { type ChartResolution, chartResolutions, type Currency } from '@jetton-analytics/common';
import {
  type AmountText,
  fiatPrice,
  isPrice,
  priceAmount,
  priceDecimals,
  type PricePoint,
  scaledFromDecimal,
} from '@jetton-analytics/figures';
import { dayOf, type Rates } from '@jetton-analytics/rates';
import { withinHistory } from '../history/history-range.js';
import type { HistoryStore } from '../history/history-store.js';
import { pricePoints } from './price-points.query.js';
import { type PriceStep, priceSteps } from './price-steps.js';

export interface ChartRequest {
  /** Raw address. */
  readonly jetton: string;
  readonly decimals: number;
  readonly resolution: ChartResolution;
  /** Unix seconds, `to` excluded. */
  readonly from: number;
  readonly to: number;
  readonly currency: Currency;
  readonly gapFill: boolean;
}

export interface ChartPoint {
  /** Start of the step, Unix seconds. */
  readonly time: number;
  readonly value: AmountText;
}

const volumeScale = 18;
const pointOf = ({ minute_s, volume, amount }: { minute_s: number; volume: string; amount: string }): PricePoint => ({
  minute: minute_s,
  volume: scaledFromDecimal(volume, volumeScale),
  amount: BigInt(amount),
});

function valueOf({ start, price }: PriceStep, currency: Currency, rates: Rates): AmountText | undefined {
  if (currency === 'ton') return priceAmount(price, priceDecimals.ton);
  const usd = priceAmount(price, priceDecimals.fiat);
  if (currency === 'usd') return usd;
  const rate = rates.on(currency, dayOf(start));
  return rate && fiatPrice(usd, rate);
}

/**
 * The points of a price chart, oldest first: the price at the end of each step that begins in [from, to), with `from`
 * moved back to the start of its step; steps without a trade only with `gapFill`, steps before the first price never. A
 * fiat is converted at the rate of the step's UTC day. Throws DomainError where the store is away, busy or too slow.
 */
export async function getPriceChart(store: HistoryStore, rates: Rates, request: ChartRequest): Promise<ChartPoint[]> {
  const { jetton, decimals, resolution, currency, gapFill } = request;
  const { seconds: stepSeconds } = chartResolutions[resolution];
  const first = withinHistory(request.from);
  const end = withinHistory(request.to);
  if (first >= end) return [];
  const from = first - (first % stepSeconds);
  const to = end - 1 - ((end - 1) % stepSeconds) + stepSeconds;
  const queries = pricePoints[currency === 'ton' ? 'ton' : 'usd'];
  const rows = [
    ...(await store.query(queries.lastBefore, { jetton, before: from })),
    // No leg of the last minute is later than `to` by more than the minute's rest: the range is told in whole steps.
    ...(await store.query(queries.between, { jetton, from, to })),
  ];
  const steps = priceSteps(rows.map(pointOf), { from, to, stepSeconds, decimals });
  return steps.flatMap((step) => {
    if (!step.isNew && !gapFill) return [];
    const value = valueOf(step, currency, rates);
    return value === undefined || !isPrice(value) ? [] : [{ time: step.start, value }];
  });
}
