import type { Currency, Order, SortField, Verification } from './enums.js';

/** Inclusive bounds; a missing one does not bound. */
export interface Range<T> {
  readonly min?: T;
  readonly max?: T;
}

/** An exact decimal: value / 10^decimals. The same shape as in packages/figures. */
export interface ScaledNumber {
  readonly value: bigint;
  readonly decimals: number;
}

/** Windows whose price change can be filtered. */
export const priceChangeWindows = ['hour', 'hour6', 'day', 'week'] as const;
export type PriceChangeWindow = (typeof priceChangeWindows)[number];

/** A list request after reading: what packages/requests makes and packages/list-engine answers. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly excludeScam: boolean;
  /** Trimmed, not folded. */
  readonly search?: string;
  /** Raw addresses, each once, in the order of first occurrence; empty: no filter. */
  readonly address: readonly string[];
  readonly admin: readonly string[];
  readonly verification: readonly Verification[];
  readonly sort: SortField;
  readonly order: Order;
  /** Percent. */
  readonly priceChangeTon: Readonly<Partial<Record<PriceChangeWindow, Range<ScaledNumber>>>>;
  readonly liquidityUsd: Range<ScaledNumber>;
  /** In usd. */
  readonly fdmc: Range<ScaledNumber>;
  readonly trustScore: Range<bigint>;
  readonly holders: Range<bigint>;
  readonly currency: Currency;
}
