import type { FeedRecord } from './parse-message.js';

/** Tiny hand-made ledgers for the oracle's own specs. */
export const ton = `0:${'0'.repeat(64)}`;
export const wrappedTon = '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C';
export const usdt = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';
export const jettonA = `0:${'A'.repeat(64)}`;
export const jettonB = `0:${'B'.repeat(64)}`;
export const pool1 = `0:${'1'.repeat(64)}`;
export const pool2 = `0:${'2'.repeat(64)}`;
export const wallet1 = `0:${'E1'.repeat(32)}`;
export const wallet2 = `0:${'E2'.repeat(32)}`;

/** 2024-01-01T00:00:00Z: a whole minute, hour and day. */
export const newYear = 1_704_067_200;

export const txHash = (n: number): string => Buffer.alloc(32, n).toString('base64');

export type Fields = Record<string, unknown>;

/** A trade in the feed's own form: 2 TON for 1,000 A at midnight, 1 s before its record. */
export function tradeFields(overrides: Fields = {}): Fields {
  return {
    tx_hash: txHash(1),
    project_type: 'dex',
    project: 'dedust',
    event_type: 'trade',
    event_time: newYear,
    trader_address: wallet1,
    pool_address: pool1,
    token_sold_address: ton,
    token_bought_address: jettonA,
    amount_sold_raw: '2000000000',
    amount_bought_raw: '1000000000000',
    volume_usd: '10.5',
    volume_ton: '2',
    ...overrides,
  };
}

export function recordOf(fields: Fields | string | Buffer, recordMs?: number): FeedRecord {
  if (Buffer.isBuffer(fields)) return { value: fields, recordMs: recordMs ?? (newYear + 1) * 1000 };
  if (typeof fields === 'string') return { value: Buffer.from(fields), recordMs: recordMs ?? (newYear + 1) * 1000 };
  const eventTime = typeof fields['event_time'] === 'number' ? fields['event_time'] : newYear;
  return { value: Buffer.from(JSON.stringify(fields)), recordMs: recordMs ?? (eventTime + 1) * 1000 };
}

export const trade = (overrides: Fields = {}, recordMs?: number): FeedRecord =>
  recordOf(tradeFields(overrides), recordMs);
