import {
  type AmountText,
  changePercent,
  decimalText,
  parseDecimal,
  priceChangePercent,
  roundedAmount,
  scaledFromDecimal,
  volumeDecimals,
} from '@jetton-analytics/figures';
import { bucketColumns } from './buckets.query.js';

type Column = (typeof bucketColumns)[number];

/** The figures of a window that are counted or added up, with the sums they are made of. */
const summed = {
  transactions: ['transactions_buy', 'transactions_sell'],
  transactionsBuy: ['transactions_buy'],
  transactionsSell: ['transactions_sell'],
  traders: ['traders'],
  tradersBuy: ['traders_buy'],
  tradersSell: ['traders_sell'],
  'volume.usd': ['volume_usd_buy', 'volume_usd_sell'],
  'volume.buyUsd': ['volume_usd_buy'],
  'volume.sellUsd': ['volume_usd_sell'],
  'volume.ton': ['volume_ton_buy', 'volume_ton_sell'],
  'volume.buyTon': ['volume_ton_buy'],
  'volume.sellTon': ['volume_ton_sell'],
} as const satisfies Record<string, readonly Column[]>;

export type SummedMetric = keyof typeof summed;
export type PriceMetric = 'priceChange.ton' | 'priceChange.usd';
export type Metric = SummedMetric | PriceMetric;

export const summedMetrics = Object.keys(summed) as SummedMetric[];
export const metrics: readonly Metric[] = [...summedMetrics, 'priceChange.ton', 'priceChange.usd'];

export const isPriceMetric = (metric: Metric): metric is PriceMetric => metric.startsWith('priceChange.');

/** A figure as the interface writes it; `exact` are the sums before they are rounded. */
export interface FigurePair {
  readonly current: string | AmountText;
  readonly previous: string | AmountText;
  readonly changePercent: string;
  readonly changeStatus?: 'noPrevious';
  readonly exact?: { readonly current: string; readonly previous: string };
}

const volumeScale = 18;

function sumOf(sums: readonly string[], columns: readonly Column[]): string {
  const parts = columns.map((column) => scaledFromDecimal(sums[bucketColumns.indexOf(column)] ?? '0', volumeScale));
  return decimalText(
    parts.reduce((sum, part) => sum + part, 0n),
    volumeScale,
  );
}

/** A counted or added figure from the sums of both halves, each in the order of `bucketColumns`. */
export function summedFigure(
  metric: SummedMetric,
  current: readonly string[],
  previous: readonly string[],
): FigurePair {
  const exact = { current: sumOf(current, summed[metric]), previous: sumOf(previous, summed[metric]) };
  if (!metric.startsWith('volume.')) {
    const { text, ...status } = changePercent(parseDecimal(exact.current), parseDecimal(exact.previous));
    return { ...exact, changePercent: text, ...status };
  }
  const decimals = metric.endsWith('on') ? volumeDecimals.ton : volumeDecimals.fiat;
  const pair = {
    current: roundedAmount(parseDecimal(exact.current), decimals),
    previous: roundedAmount(parseDecimal(exact.previous), decimals),
  };
  const { text, ...status } = changePercent(scaledOf(pair.current), scaledOf(pair.previous));
  return { ...pair, changePercent: text, ...status, exact };
}

const scaledOf = ({ value, decimals }: AmountText) => ({ value: BigInt(value), decimals });

/** A price figure from the two prices as emitted. */
export function priceFigure(current: AmountText, previous: AmountText): FigurePair {
  const { text, ...status } = priceChangePercent(scaledOf(current), scaledOf(previous));
  return { current, previous, changePercent: text, ...status };
}

/** Whether two figures are the same, digit by digit; the sums before rounding too. */
export const sameFigure = (a: FigurePair, b: FigurePair): boolean => JSON.stringify(a) === JSON.stringify(b);
