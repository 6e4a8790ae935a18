import { describe, expect, it } from '@jest/globals';
import {
  assets,
  eventTime,
  fieldsOf,
  jettonA,
  jsonOf,
  parseText,
  parseWith,
  timestampMs,
  tradeWith,
} from '../test/factory.js';
import { faultReasons } from './faults.js';
import { parseTradeMessage } from './parse-trade-message.js';

const parseBytes = (value: Buffer) => parseTradeMessage({ value, timestampMs }, assets);
const fault = (reason: string, field?: string) => ({
  kind: 'fault',
  reason,
  ...(field === undefined ? {} : { field }),
});

describe('bad messages', () => {
  it('have one of a closed set of reasons', () => {
    expect([...faultReasons].sort()).toEqual(
      [
        'not_utf8',
        'not_json',
        'not_object',
        'missing_field',
        'wrong_type',
        'malformed_address',
        'malformed_hash',
        'not_finite',
        'amount_out_of_range',
        'volume_out_of_range',
        'event_time_out_of_range',
        'revision_out_of_range',
        'record_time_out_of_range',
        'too_large',
        'too_late',
      ].sort(),
    );
  });

  it('too_large: a value of more than 1 MiB, whatever is in it', () => {
    expect(parseBytes(Buffer.alloc(1024 * 1024 + 1, 0xff))).toMatchObject(fault('too_large'));
    expect(parseTradeMessage({ value: Buffer.from('{}'), timestampMs }, assets, { valueBytesMax: 1 })).toMatchObject(
      fault('too_large'),
    );
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a character cut off', [0xe2, 0x82]],
  ])('not_utf8: %s, even inside a field that is not in use', (_name, bytes) => {
    const text = jsonOf(fieldsOf({ x: '"@"' }));
    const [before = '', after = ''] = text.split('@');
    expect(parseBytes(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]))).toMatchObject(
      fault('not_utf8'),
    );
  });

  it.each([
    '',
    ' ',
    '{',
    'trade',
    "{'a':1}",
    '{"a":1,}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":"\t"}',
    '{} {}',
    '\ufeff{}',
    '\u00a0{}',
  ])('not_json: %j', (text) => {
    expect(parseText(text)).toMatchObject(fault('not_json'));
  });

  it.each(['[]', 'null', '5', '"trade"', 'true', `[${jsonOf(fieldsOf())}]`])('not_object: %s', (text) => {
    expect(parseText(text)).toMatchObject(fault('not_object'));
  });

  it.each(['event_type', 'tx_hash', 'event_time'])('missing_field: %s absent or null', (field) => {
    expect(parseWith({ [field]: undefined })).toMatchObject(fault('missing_field', field));
    expect(parseWith({ [field]: 'null' })).toMatchObject(fault('missing_field', field));
  });

  it.each([
    ['event_type', ['5', '{}', 'true']],
    ['tx_hash', ['5', '[]', 'false']],
    ['event_time', [`"${eventTime}"`, 'true', `${eventTime}.5`, `${eventTime}.00000000000000000001`, '1e-400']],
    ['trader_address', ['5', '{}', '[]', 'false']],
    ['pool_address', ['0', 'true']],
    ['token_sold_address', ['0', '{}']],
    ['token_bought_address', ['0', 'false']],
    [
      'amount_sold_raw',
      ['"1.5"', '1.5', '"abc"', '""', '" 1"', '"0x10"', '"1,000"', '"+1"', '"01"', 'true', '[]', '"1E-1"', '-0.5'],
    ],
    ['amount_bought_raw', ['"-1.5"', '"1E-999999999"', '{}', '123.00000000000000000001']],
    ['volume_usd', ['"abc"', '""', '"1."', '".5"', '"1 "', 'true', '{}']],
    ['volume_ton', ['"1e"', '[1]']],
    ['revision', ['"1"', 'true', '1.5', '1.00000000000000000001', '[]']],
    ['deleted', ['0', '1', '"true"', '{}']],
  ])('wrong_type: %s must not be any of %j', (field, values) => {
    for (const value of values)
      expect([value, parseWith({ [field]: value })]).toEqual([
        value,
        expect.objectContaining(fault('wrong_type', field)),
      ]);
  });

  it.each(['trader_address', 'pool_address', 'token_sold_address', 'token_bought_address'])(
    'malformed_address: %s must be raw',
    (field) => {
      const friendly = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
      for (const text of [
        '',
        'ton',
        friendly,
        jettonA.slice(1),
        ` ${jettonA}`,
        `${jettonA}0`,
        `00${jettonA.slice(1)}`,
        `2147483648${jettonA.slice(1)}`,
      ]) {
        expect(parseWith({ [field]: JSON.stringify(text) })).toMatchObject(fault('malformed_address', field));
      }
      expect(parseWith({ [field]: JSON.stringify(`-2147483648${jettonA.slice(1)}`) }).kind).toBe('trade');
    },
  );

  it.each([
    ['empty', ''],
    ['hex', 'b4'.repeat(32)],
    ['base64url', 'tDPRXvCP_DXJNuumo_O0Uec0TVS-z24qCTXab9O_iI0='],
    ['without padding', 'tDPRXvCP/DXJNuumo/O0Uec0TVS+z24qCTXab9O/iI0'],
    ['31 bytes', Buffer.alloc(31, 7).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 7).toString('base64')],
    ['stray bits in the last digit', 'tDPRXvCP/DXJNuumo/O0Uec0TVS+z24qCTXab9O/iI1='],
    ['a blank in it', 'tDPRXvCP/DXJNuumo/O0Uec0TVS+z24qCTXab9O/iI ='],
  ])('malformed_hash: tx_hash %s', (_name, text) => {
    // A good hash is read first: nothing of it may be left over.
    expect(tradeWith().txHash).toMatch(/^b4/);
    expect(parseWith({ tx_hash: JSON.stringify(text) })).toMatchObject(fault('malformed_hash', 'tx_hash'));
  });

  it.each(['amount_sold_raw', 'amount_bought_raw', 'volume_usd', 'volume_ton'])(
    'not_finite: %s as NaN or Infinity',
    (field) => {
      for (const text of ['NaN', 'Infinity', '-Infinity', 'nan', 'inf']) {
        expect(parseWith({ [field]: JSON.stringify(text) })).toMatchObject(fault('not_finite', field));
      }
    },
  );

  it.each(['amount_sold_raw', 'amount_bought_raw'])(
    'amount_out_of_range: %s must be from 0 to below 2^120',
    (field) => {
      const bound = 2n ** 120n;
      for (const text of [
        `${bound}`,
        '"-1"',
        '-1',
        '"1E+37"',
        '"1E+999999999"',
        '"-1E+999999999"',
        '1e999',
        `"${'9'.repeat(100)}"`,
        '9'.repeat(100),
        `"${bound}.0"`,
      ]) {
        expect([text, parseWith({ [field]: text })]).toEqual([
          text,
          expect.objectContaining(fault('amount_out_of_range', field)),
        ]);
      }
      for (const text of [`"${bound - 1n}"`, `${bound - 1n}`, '"0"', '-0', '"0E+999999999"', '"1E+36"']) {
        expect([text, parseWith({ [field]: text }).kind]).toEqual([text, 'trade']);
      }
    },
  );

  it.each(['volume_usd', 'volume_ton'])('volume_out_of_range: %s must be from 0 to below 10^18', (field) => {
    for (const text of [
      '"-0.000000000000000001"',
      '-1',
      '"-1E-999999999"',
      '"1E+18"',
      '1e18',
      '1000000000000000000',
      '"1E+999999999"',
      '1e999',
      '"999999999999999999.9999999999999999995"',
    ]) {
      expect([text, parseWith({ [field]: text })]).toEqual([
        text,
        expect.objectContaining(fault('volume_out_of_range', field)),
      ]);
    }
    for (const text of [
      '"999999999999999999.999999999999999999"',
      '"999999999999999999.9999999999999999994"',
      '"0E-9"',
      '-0.0',
      '"1E-999999999"',
      '"-0E+999999999"',
    ]) {
      expect([text, parseWith({ [field]: text }).kind]).toEqual([text, 'trade']);
    }
  });

  it('event_time_out_of_range: before 2019, or more than 600 s ahead of the record timestamp', () => {
    const recordMs = Date.UTC(2019, 0, 2);
    for (const time of ['0', '-1', '1546300799', '-1e99', '1e99', '9007199254740993', `${recordMs / 1000 + 601}`]) {
      expect([time, parseWith({ event_time: time }, recordMs)]).toEqual([
        time,
        expect.objectContaining(fault('event_time_out_of_range', 'event_time')),
      ]);
    }
    for (const time of ['1546300800', '1546300800.0', '1.5463008E+9', `${recordMs / 1000 + 600}`]) {
      expect([time, parseWith({ event_time: time }, recordMs).kind]).toEqual([time, 'trade']);
    }
    expect(parseWith({ event_time: `${recordMs / 1000 + 600}` }, recordMs - 1)).toMatchObject(
      fault('event_time_out_of_range'),
    );
  });

  it('revision_out_of_range: below 0 or above 2^31 − 1', () => {
    for (const revision of ['-1', '2147483648', '1e99', '-1e999', '9'.repeat(100)]) {
      expect(parseWith({ revision })).toMatchObject(fault('revision_out_of_range', 'revision'));
    }
    expect([tradeWith({ revision: '-0' }).revision, tradeWith({ revision: '2147483647' }).revision]).toEqual([
      0, 2147483647,
    ]);
  });

  it('record_time_out_of_range: a record timestamp before 2019, or from 2100 on, beyond what the stores hold', () => {
    const event = { event_time: '1546300800' };
    expect(parseWith(event, Date.UTC(2019, 0, 1) - 1)).toMatchObject(fault('record_time_out_of_range'));
    expect(parseWith(event, Date.UTC(2019, 0, 1)).kind).toBe('trade');
    expect(parseWith(event, Date.UTC(2100, 0, 1) - 1).kind).toBe('trade');
    for (const time of [Date.UTC(2100, 0, 1), 2 ** 53, Infinity, NaN])
      expect(parseWith(event, time)).toMatchObject(fault('record_time_out_of_range'));
  });

  it('never quote the message in their detail', () => {
    const secret = 'sEcReT';
    for (const field of fieldsOf().keys()) {
      const outcome = parseWith({ [field]: `["${secret}"]` });
      expect(
        JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ).not.toContain(secret);
    }
    expect(JSON.stringify(parseText(`{${secret}`))).not.toContain(secret);
  });
});
