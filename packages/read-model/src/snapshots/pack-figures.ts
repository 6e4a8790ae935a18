// Figures as they are kept: what follows the version of a row of `jettonRows` or `marketRows`, one byte per character. An
// integer is the count of its significant bytes and those, the least first; a text is its length and its characters. A
// quarter of the columns' size, and a text is what this process copies, compares and keeps with the least effort.

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

/** How many integers and prices a window of the form has. */
export const windowSize = (form: WindowForm) => ({ integers: integersOf(form), prices: pricesOf(form) });
