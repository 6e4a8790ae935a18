import type { SortField, Verification } from '@jetton-analytics/common';

/**
 * Decimals of `exact`: createdAt in Unix seconds, amounts in usd (tvl in ton), price changes in percent.
 * Source: docs/statistics.md, "Amounts" and "changePercent".
 */
export const fieldDecimals: Readonly<Record<SortField, number>> = {
  createdAt: 0,
  fdmc: 6,
  tvl: 9,
  liquidityUsd: 6,
  trustScore: 0,
  volume24h: 6,
  holders: 0,
  traders24h: 0,
  transactions24h: 0,
  tonPriceChangeHour: 4,
  tonPriceChangeHour6: 4,
  tonPriceChangeDay: 4,
  tonPriceChangeWeek: 4,
  tonPriceChangeMonth: 4,
};

/**
 * The jettons a list is made of, in columns. A row belongs to one address for ever: a jetton that vanishes leaves
 * `isRow` false, and comes back in the same row. Nothing here changes within one turn of the event loop.
 */
export interface ListSource {
  /** One above the greatest row in use. */
  readonly size: number;
  /** Rises with every visible change: of a figure, a name, a row's coming or going. */
  readonly revision: number;
  isRow(row: number): boolean;
  /** Raw address. */
  address(row: number): string;
  rowOf(address: string): number | undefined;
  /**
   * `Number(exact(field, row))` of every row, at least `size` long; NaN where missing. (Rounding keeps the order, so a
   * double decides wherever two differ; where they are equal and beyond 2^53, `exact` does.)
   */
  column(field: SortField): Float64Array;
  /** The field as an integer at its scale (fieldDecimals), undefined where missing. */
  exact(field: SortField, row: number): bigint | undefined;
  verification(row: number): Verification;
  /** Raw address of the administrator. */
  admin(row: number): string | undefined;
  /** fold(name) + '\n' + fold(symbol). */
  searchText(row: number): string;
}
