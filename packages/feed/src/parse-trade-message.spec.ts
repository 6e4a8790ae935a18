import { describe, expect, it } from '@jest/globals';
import {
  assets,
  eventTime,
  fieldsOf,
  jettonA,
  jettonB,
  jsonOf,
  parseText,
  parseWith,
  poolA,
  timestampMs,
  traderA,
  tradeWith,
} from '../test/factory.js';
import { parseTradeMessage } from './parse-trade-message.js';

const raw = (address: string) => address.toLowerCase();

describe('a good trades message', () => {
  it('becomes a ledger trade: addresses raw and lower-case, hash in hex, numbers exact', () => {
    expect(tradeWith()).toMatchObject({
      txHash: 'b433d15ef08ffc35c936eba6a3f3b451e7344d54becf6e2a0935da6fd3bf888d',
      eventTime,
      pool: raw(poolA),
      sold: raw(jettonA),
      bought: raw(jettonB),
      amountSold: 1000n,
      amountBought: 2000n,
      volumeUsd: '12.5',
      volumeTon: '3.25',
      trader: raw(traderA),
      project: 'stonfi',
      revision: 0,
      deleted: false,
      recordTimestampMs: timestampMs,
    });
  });

  it('may leave out what may be null: an absent field is a null one', () => {
    const optional = [
      'project',
      'trader_address',
      'pool_address',
      'amount_sold_raw',
      'amount_bought_raw',
      'volume_usd',
      'volume_ton',
    ];
    const absent = Object.fromEntries(optional.map((field) => [field, undefined]));
    const nulls = Object.fromEntries(optional.map((field) => [field, 'null']));
    expect(tradeWith(absent)).toEqual(tradeWith(nulls));
    expect(tradeWith(absent)).toMatchObject({
      project: '',
      trader: '',
      pool: '',
      amountSold: null,
      amountBought: null,
      volumeUsd: null,
      volumeTon: null,
    });
  });

  it('takes the default for a null extension: revision 0, deleted false', () => {
    expect(tradeWith({ revision: 'null', deleted: 'null' })).toEqual(tradeWith());
    expect(tradeWith({ revision: '2147483647', deleted: 'false' })).toMatchObject({
      revision: 2 ** 31 - 1,
      deleted: false,
    });
  });

  it('takes addresses in either case', () => {
    expect(tradeWith({ pool_address: JSON.stringify(raw(poolA)) })).toEqual(tradeWith());
  });

  it('is told by nothing but the fields in use: others are neither read nor checked', () => {
    expect(
      tradeWith({
        trace_id: '5',
        project_type: '{}',
        version: '"x"',
        router_address: '"bad"',
        query_id: '1e999',
        _x: '[]',
      }),
    ).toEqual(tradeWith());
  });

  it('takes the last of duplicate keys', () => {
    const fields = [...fieldsOf()];
    const twice = jsonOf([
      ['amount_sold_raw', '"NaN"'],
      ['event_type', '"launch"'],
      ...fields,
      ['project', '"dedust"'],
    ]);
    expect(parseText(twice)).toEqual({ kind: 'trade', trade: tradeWith({ project: '"dedust"' }) });
    expect(parseText(jsonOf([...fields, ['event_type', '"launch"']]))).toEqual({ kind: 'skip', reason: 'launch' });
  });

  it('never fails for its project: what is not a string is null', () => {
    for (const project of ['5', '{}', '[]', 'true', 'null', undefined]) expect(tradeWith({ project }).project).toBe('');
    expect(tradeWith({ project: String.raw`"a\ud800\u001fb"` }).project).toBe('a\ufffd\u001fb');
  });

  it('may say things in UTF-8 beyond ASCII', () => {
    expect(tradeWith({ project: '"Тон 💎"' }).project).toBe('Тон 💎');
  });

  it('may be exactly 1 MiB and, in any field not in use, of any depth', () => {
    const text = jsonOf(fieldsOf({ x: '""' }));
    const padded = text.replace('"x":""', `"x":"${'p'.repeat(1024 * 1024 - text.length)}"`);
    expect(parseText(padded)).toEqual(parseWith());
    expect(parseWith({ x: '['.repeat(500_000) + ']'.repeat(500_000), revision: '0.0' })).toEqual(parseWith());
  });
});

describe('messages that are skipped and counted, not faults', () => {
  it('a tombstone', () => {
    expect(parseTradeMessage({ value: null, timestampMs: -1 }, assets)).toEqual({ kind: 'skip', reason: 'tombstone' });
  });

  it('a launch and any other event type, unchecked', () => {
    expect(parseText('{"event_type":"launch","tx_hash":5,"event_time":"x"}', -1)).toEqual({
      kind: 'skip',
      reason: 'launch',
    });
    for (const eventType of ['"Trade"', '"trade "', '""', '"migration"']) {
      expect(parseWith({ event_type: eventType, pool_address: '"bad"' }, -1)).toEqual({
        kind: 'skip',
        reason: 'other_event_type',
      });
    }
  });

  it('a null token, once the rest is valid', () => {
    const skip = { kind: 'skip', reason: 'null_token' };
    expect(parseWith({ token_sold_address: 'null' })).toEqual(skip);
    expect(parseWith({ token_bought_address: undefined })).toEqual(skip);
    expect(parseWith({ token_sold_address: 'null', deleted: 'true' })).toEqual(skip);
    expect(parseWith({ token_sold_address: 'null', token_bought_address: '"bad"' })).toMatchObject({
      reason: 'malformed_address',
    });
    expect(parseWith({ token_sold_address: 'null', revision: '-1' })).toMatchObject({
      reason: 'revision_out_of_range',
    });
  });
});

describe('a retraction', () => {
  it('needs only the identity: amounts, volumes and trader are not checked and not kept', () => {
    const bad = {
      trader_address: '5',
      amount_sold_raw: '"x"',
      amount_bought_raw: '-1',
      volume_usd: '"NaN"',
      volume_ton: '{}',
      project: '"p"',
    };
    const retraction = tradeWith({ ...bad, deleted: 'true' });
    expect(retraction).toMatchObject({
      amountSold: null,
      amountBought: null,
      volumeUsd: null,
      volumeTon: null,
      trader: '',
      project: '',
      deleted: true,
    });
    expect(retraction.eventId).toBe(tradeWith().eventId);
    expect(tradeWith({ deleted: 'true' })).toEqual(retraction);
  });

  it('is checked in its identity, revision and record time like any other message', () => {
    for (const [field, value] of [
      ['tx_hash', '"x"'],
      ['event_time', '0'],
      ['pool_address', '""'],
      ['token_sold_address', '1'],
      ['token_bought_address', '"x"'],
      ['revision', '-1'],
    ] as const) {
      expect(parseWith({ deleted: 'true', [field]: value })).toMatchObject({ kind: 'fault', field });
    }
    const lateIn2018 = Date.UTC(2018, 11, 31, 23, 59, 59, 999);
    expect(parseWith({ deleted: 'true', event_time: '1546300800' }, lateIn2018)).toMatchObject({
      reason: 'record_time_out_of_range',
    });
  });

  it('is one only by the JSON value true', () => {
    expect(parseWith({ deleted: '"true"', trader_address: '"bad"' })).toMatchObject({ reason: 'malformed_address' });
    expect(parseWith({ deleted: '"true"' })).toMatchObject({ reason: 'wrong_type', field: 'deleted' });
  });
});
