import { describe, expect, it } from '@jest/globals';
import { parseMessage } from './parse-message.js';
import { jettonA, newYear, pool1, recordOf, tradeFields, txHash, usdt, wallet1, type Fields } from './sample-trades.js';

const read = (fields: Fields | string | Buffer, recordMs?: number) => {
  const reading = parseMessage(recordOf(fields, recordMs));
  if (reading.kind === 'bad') return reading.reason;
  return reading.kind === 'skipped' ? `skipped ${reading.because}` : reading.message;
};
const reasonOf = (overrides: Fields) => read(tradeFields(overrides));
/** A trade whose members are given as raw JSON text. */
const withRaw = (name: string, json: string) =>
  JSON.stringify(tradeFields({ [name]: '@@' })).replace('"@@"', () => json);

describe('the oracle’s reading of messages', () => {
  it('takes a good trade as it is written', () => {
    expect(read(tradeFields({ volume_ton: '1.2345678901234567895' }))).toEqual({
      txHashHex: '01'.repeat(32),
      eventTime: newYear,
      pool: pool1.toLowerCase(),
      sold: `0:${'0'.repeat(64)}`,
      bought: jettonA.toLowerCase(),
      trader: wallet1.toLowerCase(),
      amountSold: 2_000_000_000n,
      amountBought: 1_000_000_000_000n,
      volumeUsd: 10_500_000_000_000_000_000n,
      volumeTon: 1_234_567_890_123_456_790n,
      project: 'dedust',
      revision: 0n,
      deleted: false,
      recordMs: (newYear + 1) * 1000,
    });
  });

  it.each([
    ['missing_field', { event_type: undefined }],
    ['missing_field', { event_type: null }],
    ['wrong_type', { event_type: 5 }],
    ['skipped event_type', { event_type: 'launch', tx_hash: 'nonsense' }],
    ['missing_field', { tx_hash: null }],
    ['wrong_type', { tx_hash: 1 }],
    ['malformed_hash', { tx_hash: txHash(1).slice(0, 43) }],
    ['malformed_hash', { tx_hash: `${'A'.repeat(42)}B=` }],
    ['missing_field', { event_time: undefined }],
    ['wrong_type', { event_time: String(newYear) }],
    ['wrong_type', { event_time: newYear + 0.5 }],
    ['event_time_out_of_range', { event_time: 1_546_300_799 }],
    ['malformed_address', { trader_address: '0:12' }],
    ['wrong_type', { pool_address: 7 }],
    ['malformed_address', { token_sold_address: '' }],
    ['wrong_type', { token_bought_address: {} }],
    ['wrong_type', { amount_sold_raw: '1.5' }],
    ['wrong_type', { amount_sold_raw: true }],
    ['not_finite', { amount_bought_raw: 'NaN' }],
    ['amount_out_of_range', { amount_bought_raw: '-1' }],
    ['amount_out_of_range', { amount_bought_raw: (2n ** 120n).toString() }],
    ['amount_out_of_range', { amount_bought_raw: '1e999999999' }],
    ['not_finite', { volume_usd: '-Infinity' }],
    ['volume_out_of_range', { volume_usd: '-0.0000000000000000000001' }],
    ['volume_out_of_range', { volume_ton: '1E18' }],
    ['wrong_type', { volume_ton: 'abc' }],
    ['wrong_type', { revision: '1' }],
    ['revision_out_of_range', { revision: 2 ** 31 }],
    ['revision_out_of_range', { revision: -1 }],
    ['wrong_type', { deleted: 'true' }],
    ['skipped null_token', { token_sold_address: null }],
  ])('gives %s for %j', (expected, overrides) => {
    expect(reasonOf(overrides)).toBe(expected);
  });

  it('takes the limits themselves', () => {
    expect(reasonOf({ amount_sold_raw: (2n ** 120n - 1n).toString() })).toMatchObject({ amountSold: 2n ** 120n - 1n });
    expect(reasonOf({ volume_usd: '999999999999999999.9' })).toMatchObject({ deleted: false });
    expect(reasonOf({ revision: 2 ** 31 - 1 })).toMatchObject({ revision: 2n ** 31n - 1n });
    expect(read(tradeFields(), (newYear - 600) * 1000)).toMatchObject({ eventTime: newYear });
    expect(read(tradeFields(), (newYear - 600) * 1000 - 1)).toBe('event_time_out_of_range');
    expect(read(tradeFields({ event_time: 1_546_300_800 }), 1_546_300_799_999)).toBe('record_time_out_of_range');
  });

  it('reads numbers of any form from their text', () => {
    expect(read(withRaw('amount_sold_raw', '123456789012345678901234567890'))).toMatchObject({
      amountSold: 123_456_789_012_345_678_901_234_567_890n,
    });
    expect(read(withRaw('volume_usd', '0.123456789012345678'))).toMatchObject({ volumeUsd: 123_456_789_012_345_678n });
    expect(reasonOf({ amount_sold_raw: '1E+3', volume_usd: '1E-7' })).toMatchObject({
      amountSold: 1000n,
      volumeUsd: 100_000_000_000n,
    });
  });

  it('judges size, UTF-8, JSON and object first, in this order', () => {
    expect(read(Buffer.alloc(1024 * 1024 + 1, 0xff))).toBe('too_large');
    expect(read(Buffer.from([0xff, 0x7b]))).toBe('not_utf8');
    expect(read('{"a":NaN}')).toBe('not_json');
    expect(read('[]')).toBe('not_object');
    expect(read('null')).toBe('not_object');
    expect(read(' {} ')).toBe('missing_field');
    expect(parseMessage({ value: null, recordMs: 0 })).toEqual({ kind: 'skipped', because: 'tombstone' });
  });

  it('lets the last of duplicate keys win and ignores what it does not know', () => {
    const text = JSON.stringify(tradeFields()).replace('{', '{"event_type":5,"x":{"event_type":[1,"}"]},"y":"\\"",');
    expect(read(text)).toMatchObject({ eventTime: newYear });
  });

  it('lets a retraction carry the identity alone', () => {
    const bare = { amount_sold_raw: 'x', volume_usd: -1, trader_address: 3 };
    expect(reasonOf({ ...bare, deleted: true, revision: 2 })).toMatchObject({ deleted: true, amountSold: null });
    expect(reasonOf({ deleted: true, pool_address: 3 })).toBe('wrong_type');
    expect(reasonOf({ token_bought_address: usdt.toLowerCase(), project: 5 })).toMatchObject({ project: null });
  });
});
