import type { Assets } from './assets.js';
import { nativeAsset } from './assets.js';
import type { LedgerTrade } from './trade.js';

/** One row of the ledger: a trade seen from one jetton. Its key is (minute, jetton, pool, eventId, side). */
export interface Leg {
  /** Unix seconds, a multiple of 60. */
  readonly minute: number;
  /** Raw lower-case address. */
  readonly jetton: string;
  /** Raw lower-case address, '' where the trade has no pool. */
  readonly pool: string;
  readonly eventId: string;
  readonly side: 'buy' | 'sell';
  /** Unix seconds. */
  readonly eventTime: number;
  /** The trade's other side: `ton` or a raw lower-case address. */
  readonly counterAsset: string;
  /** Raw units of the jetton and of the counter asset; 0 where the message has none and in a retraction. */
  readonly amount: bigint;
  readonly counterAmount: bigint;
  /** The whole trade's volume: plain decimal with at most 18 fractional digits, or null. */
  readonly volumeUsd: string | null;
  readonly volumeTon: string | null;
  /** Raw lower-case address, '' where unknown. */
  readonly trader: string;
  readonly project: string;
  /** 64 lower-case hex digits. */
  readonly txHash: string;
  readonly revision: number;
  readonly deleted: boolean;
  /** Whether this row's content counts: two different assets after unification, both amounts > 0, not deleted. */
  readonly isTrade: boolean;
  readonly version: bigint;
  readonly recordTimestampMs: number;
}

const minuteSeconds = 60;

/**
 * The ledger rows of a message, none to two: the bought token's jetton gets a buy leg, the sold token's a sell leg,
 * native none. A message that is not a trade, and a retraction, has its rows all the same, under the keys that the
 * trade it replaces would have: the row with the greatest version decides whether there is a trade at all.
 */
export function legsOf(trade: LedgerTrade, assets: Assets): Leg[] {
  const sold = assets.unify(trade.sold);
  const bought = assets.unify(trade.bought);
  const amountSold = trade.amountSold ?? 0n;
  const amountBought = trade.amountBought ?? 0n;
  const isTrade = !trade.deleted && sold !== bought && amountSold > 0n && amountBought > 0n;
  const legs: Leg[] = [];
  if (bought !== nativeAsset) legs.push(legOf(trade, 'buy', bought, amountBought, sold, amountSold, isTrade));
  if (sold !== nativeAsset) legs.push(legOf(trade, 'sell', sold, amountSold, bought, amountBought, isTrade));
  return legs;
}

function legOf(
  trade: LedgerTrade,
  side: Leg['side'],
  jetton: string,
  amount: bigint,
  counterAsset: string,
  counterAmount: bigint,
  isTrade: boolean,
): Leg {
  return {
    minute: trade.eventTime - (trade.eventTime % minuteSeconds),
    jetton,
    pool: trade.pool,
    eventId: trade.eventId,
    side,
    eventTime: trade.eventTime,
    counterAsset,
    amount,
    counterAmount,
    volumeUsd: trade.volumeUsd,
    volumeTon: trade.volumeTon,
    trader: trade.trader,
    project: trade.project,
    txHash: trade.txHash,
    revision: trade.revision,
    deleted: trade.deleted,
    isTrade,
    version: trade.version,
    recordTimestampMs: trade.recordTimestampMs,
  };
}
