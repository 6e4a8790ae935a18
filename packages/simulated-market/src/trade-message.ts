import type { Fill } from './trading.js';

/** A trade as the feed tells it. Volumes are decimal text or null; `volumeTonIsNumber` writes it as a JSON number. */
export interface TradeFields {
  readonly fill: Fill;
  readonly txHash: string;
  readonly traceId: string;
  readonly eventTimeSeconds: number;
  readonly trader: string | null;
  readonly hasPool: boolean;
  readonly volumeUsd: string | null;
  readonly volumeTon: string | null;
  readonly volumeTonIsNumber: boolean;
  /** 0 is not written. */
  readonly revision: number;
}

/** The message as JSON text. Written by hand: nothing in it needs escaping, and it is most of what there is to do. */
export function tradeText(trade: TradeFields): string {
  const { fill, volumeTon, volumeTonIsNumber, revision } = trade;
  const { pool } = fill;
  const sold = fill.soldLeft ? pool.leftAddress : pool.rightAddress;
  const bought = fill.soldLeft ? pool.rightAddress : pool.leftAddress;
  const ton = volumeTonIsNumber && volumeTon !== null ? volumeTon : textOrNull(volumeTon);
  return (
    `${headOf(trade, 'trade')},"trader_address":${textOrNull(trade.trader)},` +
    `"pool_address":${textOrNull(trade.hasPool ? pool.address : null)},` +
    `"router_address":${textOrNull(pool.routerAddress)},"query_id":null,` +
    `"token_sold_address":"${sold}","token_bought_address":"${bought}",` +
    `"amount_sold_raw":"${fill.amountSold}","amount_bought_raw":"${fill.amountBought}",` +
    `"volume_ton":${ton},"volume_usd":${textOrNull(trade.volumeUsd)},"referral_address":null,"platform_tag":null` +
    `${revision === 0 ? '' : `,"revision":${revision}`}}`
  );
}

/** Takes the event back: the identity fields and nothing else. */
export function retractionText({ fill, txHash, eventTimeSeconds, hasPool, revision }: TradeFields): string {
  const { pool, soldLeft } = fill;
  return JSON.stringify({
    tx_hash: txHash,
    event_time: eventTimeSeconds,
    event_type: 'trade',
    pool_address: hasPool ? pool.address : null,
    token_sold_address: soldLeft ? pool.leftAddress : pool.rightAddress,
    token_bought_address: soldLeft ? pool.rightAddress : pool.leftAddress,
    revision,
    deleted: true,
  });
}

/** An event of the same transaction that is no trade: everything but the jetton is null. */
export function otherEventText(trade: TradeFields, eventType: 'launch' | 'provide_liquidity' | 'trade'): string {
  const { pool } = trade.fill;
  return (
    `${headOf(trade, eventType)},"trader_address":${textOrNull(trade.trader)},"pool_address":"${pool.address}",` +
    `"router_address":null,"query_id":null,"token_sold_address":null,"token_bought_address":"${pool.leftAddress}",` +
    `"amount_sold_raw":null,"amount_bought_raw":null,"volume_ton":null,"volume_usd":null,` +
    `"referral_address":null,"platform_tag":null}`
  );
}

function headOf({ fill, txHash, traceId, eventTimeSeconds }: TradeFields, eventType: string): string {
  const { projectType, project, version } = fill.pool.exchange;
  return (
    `{"tx_hash":"${txHash}","trace_id":"${traceId}","project_type":"${projectType}","project":"${project}",` +
    `"version":${version},"event_time":${eventTimeSeconds},"event_type":"${eventType}"`
  );
}

function textOrNull(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}
