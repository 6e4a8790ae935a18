import { z } from 'zod';
import { createAssets } from '../src/assets.js';
import { parseTradeMessage } from '../src/parse-trade-message.js';
import { feedSettings } from '../src/settings.js';
import type { LedgerTrade, TradeOutcome } from '../src/trade.js';

export const settings = z.object(feedSettings).parse({});
export const assets = createAssets(settings);

export const zeroAddress = `0:${'0'.repeat(64)}`;
export const jettonA = `0:${'AA'.repeat(32)}`;
export const jettonB = `0:${'BB'.repeat(32)}`;
export const poolA = `0:${'C0'.repeat(32)}`;
export const traderA = `-1:${'7A'.repeat(32)}`;
export const usdt = `0:${settings.STABLE_ADDRESSES[0]?.slice(2).toUpperCase()}`;
export const wrappedTon = `0:${settings.NATIVE_ADDRESSES[1]?.slice(2).toUpperCase()}`;

export const eventTime = 1_704_414_803;
export const timestampMs = eventTime * 1000 + 1500;
const txHash = 'tDPRXvCP/DXJNuumo/O0Uec0TVS+z24qCTXab9O/iI0=';

/** The fields of a good message as JSON text, so that a test can write a number exactly as it likes. */
export function fieldsOf(overrides: Readonly<Record<string, string | undefined>> = {}): Map<string, string> {
  const fields = new Map(
    Object.entries({
      tx_hash: JSON.stringify(txHash),
      project: '"stonfi"',
      event_time: String(eventTime),
      event_type: '"trade"',
      trader_address: JSON.stringify(traderA),
      pool_address: JSON.stringify(poolA),
      token_sold_address: JSON.stringify(jettonA),
      token_bought_address: JSON.stringify(jettonB),
      amount_sold_raw: '"1000"',
      amount_bought_raw: '"2000"',
      volume_usd: '"12.5"',
      volume_ton: '"3.25"',
    }),
  );
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined) fields.delete(key);
    else fields.set(key, value);
  }
  return fields;
}

export function jsonOf(fields: Iterable<readonly [string, string]>): string {
  return `{${[...fields].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

export function parseText(text: string, recordTimestampMs = timestampMs): TradeOutcome {
  return parseTradeMessage({ value: Buffer.from(text), timestampMs: recordTimestampMs }, assets);
}

/** Parses a good message with some fields replaced by other JSON text, or removed. */
export function parseWith(
  overrides: Readonly<Record<string, string | undefined>> = {},
  recordTimestampMs = timestampMs,
): TradeOutcome {
  return parseText(jsonOf(fieldsOf(overrides)), recordTimestampMs);
}

export function tradeWith(
  overrides: Readonly<Record<string, string | undefined>> = {},
  recordTimestampMs = timestampMs,
): LedgerTrade {
  const outcome = parseWith(overrides, recordTimestampMs);
  if (outcome.kind !== 'trade') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
  return outcome.trade;
}
