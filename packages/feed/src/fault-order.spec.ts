import { describe, expect, it } from '@jest/globals';
import { assets, eventTime, fieldsOf, jsonOf, parseWith, timestampMs } from '../test/factory.js';
import { parseTradeMessage } from './parse-trade-message.js';

/** In the feed's order; each message also has all faults of the later lines. */
const fieldFaults: readonly (readonly [field: string, value: string, reason: string])[] = [
  ['event_type', '5', 'wrong_type'],
  ['tx_hash', '"x"', 'malformed_hash'],
  ['event_time', '"1"', 'wrong_type'],
  ['trader_address', '"x"', 'malformed_address'],
  ['pool_address', '5', 'wrong_type'],
  ['token_sold_address', '"x"', 'malformed_address'],
  ['token_bought_address', '5', 'wrong_type'],
  ['amount_sold_raw', '"-1"', 'amount_out_of_range'],
  ['amount_bought_raw', '"NaN"', 'not_finite'],
  ['volume_usd', '"1E18"', 'volume_out_of_range'],
  ['volume_ton', '"abc"', 'wrong_type'],
  ['revision', '-1', 'revision_out_of_range'],
  ['deleted', '"no"', 'wrong_type'],
];
const badRecordMs = Date.UTC(2018, 11, 31, 23, 59);
const goodEventTime = { event_time: '1546300800' };

describe('the first fault in the order of the checks wins', () => {
  it.each(fieldFaults.map((line, index) => [line[0], line[2], index] as const))(
    '%s: %s before all later faults',
    (field, reason, index) => {
      const later = Object.fromEntries(fieldFaults.slice(index).map(([name, value]) => [name, value]));
      expect(parseWith({ ...goodEventTime, ...later }, badRecordMs)).toMatchObject({ kind: 'fault', field, reason });
    },
  );

  it.each(fieldFaults.slice(0, -1).map(([field], index) => [field, index] as const))(
    '%s: before each later fault alone, wherever it stands in the message',
    (field, index) => {
      const [, value = '', reason] = fieldFaults[index] ?? [];
      for (const [laterField, laterValue] of fieldFaults.slice(index + 1)) {
        const fields = fieldsOf({ [field]: value, [laterField]: laterValue });
        const reversed = [...fields].toReversed();
        const outcome = parseTradeMessage({ value: Buffer.from(jsonOf(reversed)), timestampMs }, assets);
        expect(outcome).toMatchObject({ kind: 'fault', field, reason });
      }
    },
  );

  it('record time comes after every field, and before the skip of a null token', () => {
    expect(parseWith({ ...goodEventTime, deleted: '5' }, badRecordMs)).toMatchObject({ field: 'deleted' });
    expect(parseWith({ ...goodEventTime, token_sold_address: 'null' }, badRecordMs)).toMatchObject({
      reason: 'record_time_out_of_range',
    });
  });

  it('an event time too far ahead of a record timestamp from before 2019 is named first', () => {
    expect(parseWith({ event_time: String(eventTime) }, 0)).toMatchObject({ reason: 'event_time_out_of_range' });
  });

  it('size, UTF-8, JSON and object come in this order', () => {
    const limits = { valueBytesMax: 3 };
    const reasonOf = (bytes: Buffer) => parseTradeMessage({ value: bytes, timestampMs }, assets, limits);
    expect(reasonOf(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toMatchObject({ reason: 'too_large' });
    expect(reasonOf(Buffer.from([0xff, 0x7b, 0x7d]))).toMatchObject({ reason: 'not_utf8' });
    expect(reasonOf(Buffer.from('[1'))).toMatchObject({ reason: 'not_json' });
    expect(reasonOf(Buffer.from('[]'))).toMatchObject({ reason: 'not_object' });
    expect(reasonOf(Buffer.from('{}'))).toMatchObject({ reason: 'missing_field', field: 'event_type' });
  });

  it('within one number: type, then finiteness, then range', () => {
    expect(parseWith({ amount_sold_raw: '"-1.5"' })).toMatchObject({ reason: 'wrong_type' });
    expect(parseWith({ amount_sold_raw: '"-Infinity"' })).toMatchObject({ reason: 'not_finite' });
    expect(parseWith({ amount_sold_raw: '"-2"' })).toMatchObject({ reason: 'amount_out_of_range' });
  });
});
