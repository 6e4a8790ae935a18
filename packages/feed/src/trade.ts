import type { Fault, Skip } from './faults.js';

/** A message of event type trade that passed every check: what the ledger's rows are made of. */
export interface LedgerTrade {
  /** SHA-256 of the identity, 64 lower-case hex digits. */
  readonly eventId: string;
  /** 64 lower-case hex digits. */
  readonly txHash: string;
  /** Unix seconds. */
  readonly eventTime: number;
  /** Raw lower-case address, '' where the trade has no pool. */
  readonly pool: string;
  /** Raw lower-case addresses as in the message, wrapped forms not unified. */
  readonly sold: string;
  readonly bought: string;
  /** Raw units, 0 ≤ a < 2^120; null where the message has none and in a retraction. */
  readonly amountSold: bigint | null;
  readonly amountBought: bigint | null;
  /** Valued and rounded: plain decimal with at most 18 fractional digits and no trailing zeros, or null. */
  readonly volumeUsd: string | null;
  readonly volumeTon: string | null;
  /** Raw lower-case address, '' where the message has none and in a retraction. */
  readonly trader: string;
  /** '' where the message has none and in a retraction. */
  readonly project: string;
  /** 0 to 2^31 − 1. */
  readonly revision: number;
  readonly deleted: boolean;
  /** The UInt256 by which ledger rows of one key replace each other (`rowVersion`). */
  readonly version: bigint;
  readonly recordTimestampMs: number;
}

export interface ParsedTrade {
  readonly kind: 'trade';
  readonly trade: LedgerTrade;
}

export type TradeOutcome = ParsedTrade | Skip | Fault;

/** The fields of a trades message that are read; others may be there and are ignored. An absent field is a null one. */
export interface TradeMessage {
  /** Standard base64 of 32 bytes, 44 characters. */
  tx_hash: string;
  /** Unix seconds. */
  event_time: number;
  /** `trade`; anything else is skipped. */
  event_type: string;
  project?: string | null;
  /** Addresses: raw `<workchain>:<64 hex>` in either case. */
  trader_address?: string | null;
  pool_address?: string | null;
  token_sold_address?: string | null;
  token_bought_address?: string | null;
  /** Integers in raw units, as text or JSON number, also as integral decimals (`1E+3`). */
  amount_sold_raw?: string | number | null;
  amount_bought_raw?: string | number | null;
  /** Decimals, as text or JSON number, also in exponent form. */
  volume_usd?: string | number | null;
  volume_ton?: string | number | null;
  revision?: number | null;
  deleted?: boolean | null;
}
