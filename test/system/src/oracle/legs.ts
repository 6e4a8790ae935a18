import { assetOf, type Assets } from './assets.js';
import type { TradeMessage } from './parse-message.js';
import { valuationOf } from './valuation.js';

/** A trade seen from one jetton. Volumes × 10^18; null: not known. Assets: lower-case raw address, or `ton`. */
export interface Leg {
  readonly eventId: string;
  readonly txHashHex: string;
  readonly project: string | null;
  readonly eventTime: number;
  readonly pool: string | null;
  readonly trader: string | null;
  readonly side: 'buy' | 'sell';
  readonly jetton: string;
  readonly amount: bigint;
  readonly other: string;
  readonly otherAmount: bigint;
  readonly volumeUsd: bigint | null;
  readonly volumeTon: bigint | null;
}

/** The legs of one message that holds: none where it is a retraction or no trade. */
export function legsOfMessage(eventId: string, message: TradeMessage, assets: Assets): Leg[] {
  const { amountSold, amountBought, deleted } = message;
  const sold = assetOf(message.sold, assets);
  const bought = assetOf(message.bought, assets);
  if (deleted || sold === bought || !amountSold || !amountBought) return [];

  const { txHashHex, project, eventTime, pool, trader } = message;
  const common = { eventId, txHashHex, project, eventTime, pool, trader, ...valuationOf(message, assets) };
  const buy = { side: 'buy', jetton: bought, amount: amountBought, other: sold, otherAmount: amountSold } as const;
  const sell = { side: 'sell', jetton: sold, amount: amountSold, other: bought, otherAmount: amountBought } as const;
  return [buy, sell].filter(({ jetton }) => jetton !== 'ton').map((leg) => ({ ...common, ...leg }));
}
