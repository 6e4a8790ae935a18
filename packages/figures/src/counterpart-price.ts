import { pow10, type Rational } from './exact.js';

/** The counting legs of a jetton in one pool and one UTC minute, before t, against the pool's other asset. */
export interface CounterpartRow {
  /** Unix seconds, a multiple of 60. */
  readonly minute: number;
  /** Sum of the other asset's raw amount. */
  readonly counterAmount: bigint;
  /** Sum of the jetton's raw amount. */
  readonly amount: bigint;
}

/**
 * The price of a jetton in units of the pool's other asset, exact: over the rows of the last minute that has any,
 * (Σ counterpart / 10^its decimals) / (Σ jetton / 10^decimals). Rows in any order and of counting legs only; a row with
 * an amount of 0 holds none. Undefined: no counting leg. Source: docs/statistics.md, "Market statistics".
 */
export function counterpartPriceAt(
  rows: readonly CounterpartRow[],
  counterDecimals: number,
  decimals: number,
): Rational | undefined {
  let newest = Number.NEGATIVE_INFINITY;
  let counterAmount = 0n;
  let amount = 0n;
  for (const row of rows) {
    if (row.minute < newest || row.counterAmount <= 0n || row.amount <= 0n) continue;
    if (row.minute > newest) {
      newest = row.minute;
      counterAmount = 0n;
      amount = 0n;
    }
    counterAmount += row.counterAmount;
    amount += row.amount;
  }
  if (amount === 0n) return undefined;
  return decimals >= counterDecimals
    ? { numerator: counterAmount * pow10(decimals - counterDecimals), denominator: amount }
    : { numerator: counterAmount, denominator: amount * pow10(counterDecimals - decimals) };
}
