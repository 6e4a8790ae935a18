import type { AmountText } from './amounts.js';
import type { WindowA, WindowB, WindowC } from './windows.js';

/** Two counts as integers in text. */
export interface CountPair {
  readonly current: string;
  readonly previous: string;
}

/** Two exact sums as plain decimal text, not rounded yet. */
export interface DecimalPair {
  readonly current: string;
  readonly previous: string;
}

/** Two prices, rounded by priceAmount; value "0" where there is none. */
export interface PricePair {
  readonly current: AmountText;
  readonly previous: AmountText;
}

/** The prices of a jetton for one window. */
export interface PriceFigures {
  readonly priceTon: PricePair;
  readonly priceUsd: PricePair;
}

/** The raw figures of a jetton for one window. Totals of transactions and volumes are buy + sell. */
export interface WindowFigures extends PriceFigures {
  readonly transactionsBuy: CountPair;
  readonly transactionsSell: CountPair;
  readonly traders: CountPair;
  readonly tradersBuy: CountPair;
  readonly tradersSell: CountPair;
  readonly volumeUsdBuy: DecimalPair;
  readonly volumeUsdSell: DecimalPair;
  /** The ton volumes are not part of JettonStatistics: the volume change list reads them. */
  readonly volumeTonBuy: DecimalPair;
  readonly volumeTonSell: DecimalPair;
}

/** The raw figures of a jetton; a missing window had nothing: zeros and no prices. */
export type JettonFigures = { readonly [W in WindowA]?: W extends WindowB ? WindowFigures : PriceFigures };

/** The price of a jetton in one market for one window. */
export interface MarketPriceFigures {
  readonly priceCounterpart: PricePair;
}

/** The raw figures of a jetton in one pool for one window. */
export interface MarketWindowFigures extends MarketPriceFigures {
  readonly transactions: CountPair;
  readonly traders: CountPair;
  readonly volumeUsd: DecimalPair;
}

/** The raw figures of a market; a missing window had nothing: zeros and no prices. */
export type MarketFigures = { readonly [W in WindowA]?: W extends WindowC ? MarketWindowFigures : MarketPriceFigures };
