import { createHash } from 'node:crypto';
import { type Assets, createAssets, feedSettings, type LedgerTrade, parseTradeMessage } from '@jetton-analytics/feed';
import { z } from 'zod';

export const assets: Assets = createAssets(z.object(feedSettings).parse({}));

const hexOf = (seed: string) => createHash('sha256').update(seed).digest('hex').toUpperCase();

/** A raw upper-case address made from a name. */
export const address = (name: string): string => `0:${hexOf(name)}`;

export const nativeAddress = `0:${'0'.repeat(64)}`;
export const [usdtAddress = ''] = assets.stables;

export interface TradeFields {
  readonly tx: string;
  readonly eventTime: number;
  readonly sold: string;
  readonly bought: string;
  readonly amountSold?: string;
  readonly amountBought?: string;
  readonly pool?: string | null;
  readonly trader?: string | null;
  readonly volumeUsd?: string | null;
  readonly volumeTon?: string | null;
  readonly revision?: number;
  readonly deleted?: boolean;
}

/** A message of the trades topic; what is not given is plain and valid. */
export function tradeMessage(fields: TradeFields): Record<string, unknown> {
  return {
    tx_hash: createHash('sha256').update(fields.tx).digest('base64'),
    project_type: 'dex',
    project: 'stonfi',
    event_type: 'trade',
    event_time: fields.eventTime,
    trader_address: fields.trader === undefined ? address('trader') : fields.trader,
    pool_address: fields.pool === undefined ? address('pool') : fields.pool,
    token_sold_address: fields.sold,
    token_bought_address: fields.bought,
    amount_sold_raw: fields.amountSold ?? '1000000000',
    amount_bought_raw: fields.amountBought ?? '2000000000',
    volume_usd: fields.volumeUsd === undefined ? '5' : fields.volumeUsd,
    volume_ton: fields.volumeTon === undefined ? '1' : fields.volumeTon,
    revision: fields.revision ?? 0,
    deleted: fields.deleted ?? false,
  };
}

/** The message as the ledger takes it, with its record timestamp (ms; one second after the event by default). */
export function ledgerTrade(fields: TradeFields, timestampMs = (fields.eventTime + 1) * 1_000): LedgerTrade {
  const value = Buffer.from(JSON.stringify(tradeMessage(fields)));
  const outcome = parseTradeMessage({ value, timestampMs }, assets);
  if (outcome.kind !== 'trade') throw new Error(`not a trade: ${JSON.stringify(outcome)}`);
  return outcome.trade;
}
