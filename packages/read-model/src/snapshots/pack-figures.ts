import type { RowBinaryReader } from '@jetton-analytics/clickhouse';
import { windowsA } from '@jetton-analytics/figures';

/** Columns of a window: each count (UInt64), decimal (Decimal256) and price has a current and a previous one. */
export interface WindowForm {
  readonly counts: readonly string[];
  readonly decimals: readonly string[];
  readonly prices: readonly string[];
}
export const jettonWindow: WindowForm = {
  counts: ['transactions_buy', 'transactions_sell', 'traders', 'traders_buy', 'traders_sell'],
  decimals: ['volume_usd_buy', 'volume_usd_sell', 'volume_ton_buy', 'volume_ton_sell'],
  prices: ['price_ton', 'price_usd'],
};
export const marketWindow: WindowForm = {
  counts: ['transactions', 'traders'],
  decimals: ['volume_usd'],
  prices: ['price_counterpart'],
};
const integersOf = ({ counts, decimals }: WindowForm) => 2 * (counts.length + decimals.length);
const pricesOf = ({ prices }: WindowForm) => 2 * prices.length;
const [integersOfJetton, pricesOfJetton] = [integersOf(jettonWindow), pricesOf(jettonWindow)];
const [integersOfMarket, pricesOfMarket] = [integersOf(marketWindow), pricesOf(marketWindow)];

/** How many integers and prices a window of the form has. */
export const windowSize = (form: WindowForm) => ({ integers: integersOf(form), prices: pricesOf(form) });

function skipTexts(row: RowBinaryReader, count: number): void {
  for (let index = 0; index < count; index += 1) row.skip(row.length());
}

function skipName(row: RowBinaryReader): void {
  const code = row.uint8();
  if (code >= windowsA.length) throw new RangeError(`figures: no window ${code}`);
}

function skipWindows(row: RowBinaryReader, integers: number, prices: number): void {
  for (let windows = row.length(); windows > 0; windows -= 1) {
    skipName(row);
    skipTexts(row, integers);
    for (let price = 0; price < prices; price += 1) {
      skipTexts(row, 1);
      row.skip(1);
    }
  }
}

const textSince = (row: RowBinaryReader, start: number): string => row.bytes.toString('latin1', start, row.at);

/**
 * Figures as they are kept: the last columns of a row of `jettonRows`, one byte per character. An integer is the count of
 * its significant bytes and those, the least first; a text is its length and its characters. A quarter of the columns'
 * size, and a text is what the engine of this process copies, compares and keeps with the least effort. Throws RangeError
 * for a row that is none.
 */
export function jettonText(row: RowBinaryReader): string {
  const start = row.at;
  skipWindows(row, integersOfJetton, pricesOfJetton);
  skipTexts(row, 2);
  for (let days = row.length(); days > 0; days -= 1) {
    skipName(row);
    row.skip(1);
    skipTexts(row, 3);
  }
  return textSince(row, start);
}

/** The same of a row of `marketRows`. */
export function marketText(row: RowBinaryReader): string {
  const start = row.at;
  skipWindows(row, integersOfMarket, pricesOfMarket);
  skipTexts(row, 1);
  return textSince(row, start);
}
