import { type AmountText, decimalText, scaledFromDecimal, type Step } from '@jetton-analytics/figures';
import { stepWindows } from './edges.js';
import type { Market } from './market.js';
import type { PriceBook } from './price-book.js';
import { marketSummedColumns, summedColumns, type SumsByWindow, type WindowSums } from './window-sums.query.js';

/** The columns `windows` of the snapshot tables: one entry per window of the step, in the tuple's order. */
export type WindowTuples = readonly (readonly unknown[])[];

const zeros: WindowSums = summedColumns.flatMap(() => ['0', '0']);

const priceTuple = ({ value, decimals }: AmountText) => [value, decimals] as const;

/** Prices as emitted, by the index of their anchor: 0 is C, then C − w in the order of the step's windows. */
export type EmittedPrices = Pick<PriceBook, 'jettonPrice' | 'marketPrice'>;

/** Figures of a jetton at all windows of the step; `sums` is absent where no window holds a leg. */
export function jettonWindows(step: Step, jetton: string, sums: SumsByWindow, prices: EmittedPrices): WindowTuples {
  const current = prices.jettonPrice(0, jetton);
  return stepWindows[step].map(({ name }, index) => {
    const previous = prices.jettonPrice(index + 1, jetton);
    return [
      name,
      ...(sums[name] ?? zeros),
      priceTuple(current.ton),
      priceTuple(previous.ton),
      priceTuple(current.usd),
      priceTuple(previous.usd),
    ];
  });
}

// Columns of a market's window: total transactions and traders, and the total volume in usd.
const at = (column: (typeof marketSummedColumns)[number]) => marketSummedColumns.indexOf(column) * 2;
const positions = {
  buy: at('transactions_buy'),
  sell: at('transactions_sell'),
  traders: at('traders'),
  usdBuy: at('volume_usd_buy'),
  usdSell: at('volume_usd_sell'),
};

/** Figures of a market at all windows of the step. */
export function marketWindows(step: Step, market: Market, sums: SumsByWindow, prices: EmittedPrices): WindowTuples {
  return stepWindows[step].map(({ name }, index) => {
    const figures = sums[name] ?? [];
    const text = (position: number) => figures[position] ?? '0';
    const count = (side: 0 | 1) =>
      (BigInt(text(positions.buy + side)) + BigInt(text(positions.sell + side))).toString();
    const usd = (side: 0 | 1) => addedDecimals(text(positions.usdBuy + side), text(positions.usdSell + side));
    return [
      name,
      count(0),
      count(1),
      text(positions.traders),
      text(positions.traders + 1),
      usd(0),
      usd(1),
      priceTuple(prices.marketPrice(0, market)),
      priceTuple(prices.marketPrice(index + 1, market)),
    ];
  });
}

const volumeScale = 18;

function addedDecimals(a: string, b: string): string {
  return decimalText(scaledFromDecimal(a, volumeScale) + scaledFromDecimal(b, volumeScale), volumeScale);
}
