import { txHash, tradeFields } from '../oracle/sample-trades.js';

const text = (fields: Record<string, unknown>) => Buffer.from(JSON.stringify(fields));
const bad = (eventTime: number, overrides: Record<string, unknown>) =>
  text(tradeFields({ event_time: eventTime, tx_hash: txHash(99), ...overrides }));

const of = (reason: string, value: Buffer) => ({ reason, value });

/** One value for each way in which a message of the trades topic can be bad, with the reason docs/feed.md gives it. */
export function badValues(eventTime: number): { value: Buffer; reason: string }[] {
  return [
    of('not_utf8', Buffer.concat([Buffer.from('{"project":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])),
    of('not_json', Buffer.from('{"event_type":"trade"')),
    of('not_json', Buffer.from(JSON.stringify(tradeFields({ volume_usd: '@' })).replace('"@"', 'NaN'))),
    of('not_json', Buffer.alloc(0)),
    of('not_object', Buffer.from('[1]')),
    of('not_object', Buffer.from('null')),
    of('missing_field', Buffer.from('{}')),
    of('missing_field', bad(eventTime, { tx_hash: null })),
    of('missing_field', bad(eventTime, { event_time: null })),
    of('wrong_type', bad(eventTime, { event_time: String(eventTime) })),
    of('wrong_type', bad(eventTime, { pool_address: 5 })),
    of('wrong_type', bad(eventTime, { volume_usd: 'a lot' })),
    of('wrong_type', bad(eventTime, { amount_sold_raw: ['1'] })),
    of('wrong_type', bad(eventTime, { deleted: 'yes' })),
    of('malformed_hash', bad(eventTime, { tx_hash: 'AAAA' })),
    of('malformed_address', bad(eventTime, { trader_address: '0:XYZ' })),
    of('malformed_address', bad(eventTime, { token_sold_address: '' })),
    of('not_finite', bad(eventTime, { amount_bought_raw: 'Infinity' })),
    of('not_finite', bad(eventTime, { volume_ton: 'NaN' })),
    of('amount_out_of_range', bad(eventTime, { amount_sold_raw: '-1' })),
    of('amount_out_of_range', bad(eventTime, { amount_sold_raw: (2n ** 120n).toString() })),
    of('volume_out_of_range', bad(eventTime, { volume_usd: '1E+18' })),
    of('volume_out_of_range', bad(eventTime, { volume_ton: '-0.5' })),
    of('event_time_out_of_range', bad(1_546_300_799, {})),
    of('event_time_out_of_range', bad(eventTime + 10_000_000, {})),
    of('revision_out_of_range', bad(eventTime, { revision: 2 ** 31 })),
    of('too_large', Buffer.from(JSON.stringify(tradeFields({ padding: 'x'.repeat(1024 * 1024) })))),
    // The first fault in the order of the checks gives the reason.
    of('malformed_address', bad(eventTime, { pool_address: '0:1', volume_usd: '-1', revision: -1 })),
  ];
}
