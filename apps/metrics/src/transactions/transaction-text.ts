import { type AmountText, formatInstant, pow10, priceAmount, priceDecimals } from '@jetton-analytics/figures';
import type { AddressBookWriter } from '@jetton-analytics/read-model';
import type { TransactionRow } from './transactions.query.js';

export interface TransactionContext {
  /** Decimals of the jetton. */
  readonly decimals: number;
  /** Decimals of a unified asset. */
  readonly decimalsOf: (asset: string) => number;
  readonly addressBook: AddressBookWriter;
}

/** Counterpart per jetton of one trade: exact amounts, rounded once as a price. Source: docs/statistics.md, "Amounts". */
function priceOf(row: TransactionRow, decimals: number, counterDecimals: number): AmountText {
  const price = {
    numerator: BigInt(row.raw_counter_amount) * pow10(decimals),
    denominator: BigInt(row.raw_amount) * pow10(counterDecimals),
  };
  return priceAmount(price, priceDecimals.counterpart);
}

/** A Transaction as JSON text; members that are undefined are absent. */
export function transactionText(
  row: TransactionRow,
  { decimals, decimalsOf, addressBook }: TransactionContext,
): string {
  const counterDecimals = decimalsOf(row.counter_asset);
  const who = row.trader === '' ? undefined : row.trader;
  return JSON.stringify({
    time: formatInstant(row.time_s),
    hash: row.hash,
    who,
    whoFriendly: who === undefined ? undefined : addressBook.friendly(who, 'wallet'),
    type: row.side_name === 'buy' ? 'TT_BUY' : 'TT_SELL',
    counterpart: row.counter_asset,
    exchangeId: row.project,
    pool: row.pool === '' ? undefined : row.pool,
    amount: { value: row.raw_amount, decimals },
    counterpartAmount: { value: row.raw_counter_amount, decimals: counterDecimals },
    price: priceOf(row, decimals, counterDecimals),
  });
}
