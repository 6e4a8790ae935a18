import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { TradeOutcome } from '../src/trade.js';
import { parseTradeMessage } from '../src/parse-trade-message.js';
import { assets, eventTime, fieldsOf, jettonA, poolA, timestampMs, usdt, wrappedTon, zeroAddress } from './factory.js';
import { parseByReference } from './reference.js';

/** Messages of every kind as bytes: good ones, ones with bad fields, doubled and hidden keys, and damaged bytes. */

const account = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase());

const goodAddress = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(jettonA, poolA, usdt, wrappedTon, zeroAddress, jettonA.toLowerCase()) },
  { weight: 2, arbitrary: account.map((hex) => `0:${hex}`) },
  { weight: 1, arbitrary: fc.tuple(fc.integer(), account).map(([workchain, hex]) => `${workchain}:${hex}`) },
);

const badAddress = fc.oneof(
  fc.constantFrom(
    '',
    'ton',
    'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    `+${jettonA}`,
    `${jettonA}:`,
    `-0${jettonA.slice(1)}`,
  ),
  fc.tuple(fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }), account).map(([workchain, hex]) => `${workchain}:${hex}`),
  fc
    .tuple(goodAddress, fc.nat(70), fc.string({ minLength: 0, maxLength: 2, unit: 'binary' }))
    .map(([text, at, cut]) => text.slice(0, at) + cut + text.slice(at + 1)),
);

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength });
const nearBound = (bound: bigint) => fc.bigInt({ min: -2n, max: 2n }).map((delta) => String(bound + delta));

/** Text that a JSON number may have. */
const numberText = fc
  .record({
    sign: fc.constantFrom('', '', '', '-'),
    whole: fc.oneof(
      digits(3),
      digits(40),
      digits(130),
      fc.constant('0'),
      nearBound(2n ** 120n),
      nearBound(10n ** 18n),
      nearBound(2n ** 53n),
    ),
    fraction: fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 3, arbitrary: digits(25).map((text) => `.${text}`) },
      fc.constantFrom('.0', '.000000', `.${'0'.repeat(30)}1`, `.${'9'.repeat(18)}5`, `.${'9'.repeat(18)}4`),
    ),
    exponent: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.integer({ min: -60, max: 60 }).map((n) => `e${n}`),
      fc.constantFrom('E+3', 'E-0', 'E+999999999', 'e-999999999', 'E+36'),
    ),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      sign + whole.replace(/^-/, '').replace(/^0+(?=\d)/, '') + fraction + exponent,
  );

const oddText = fc.constantFrom(
  'NaN',
  '-Infinity',
  'inf',
  '',
  ' 1',
  '+1',
  '01',
  '1.',
  '.5',
  '1e',
  '0x1',
  'abc',
  '1E5 ',
  '١',
);
const decimal = fc.oneof(
  { weight: 4, arbitrary: numberText },
  { weight: 4, arbitrary: numberText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: oddText.map((text) => JSON.stringify(text)) },
);

const oddJson = fc.constantFrom(
  'null',
  'true',
  'false',
  '0',
  '-1',
  '""',
  '"x"',
  '[]',
  '{}',
  '[1]',
  '{"event_time":1}',
  '1.5',
  '1e400',
  'NaN',
  '"\\u0000"',
  '"\\ud800"',
);
const asJson = (text: fc.Arbitrary<string>) => text.map((value) => JSON.stringify(value));

const hashJson = fc.oneof(
  fc.uint8Array({ minLength: 30, maxLength: 34 }).map((bytes) => JSON.stringify(Buffer.from(bytes).toString('base64'))),
  fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => JSON.stringify(Buffer.from(bytes).toString('base64url'))),
  asJson(fc.string({ unit: fc.constantFrom(...'ABab01+/=-_ '.split('')), minLength: 43, maxLength: 45 })),
  digits(43).map((text) => JSON.stringify(`${text.padEnd(43, 'Q')}=`)),
);

const eventTimeJson = fc.oneof(
  fc.integer({ min: eventTime - 700, max: eventTime + 700 }).map(String),
  fc.constantFrom(
    '1546300799',
    '1546300800',
    `${eventTime}.0`,
    `${eventTime}.00000000000000000000001`,
    '1704414803e0',
    `"${eventTime}"`,
    '17044148030e-1',
  ),
  numberText,
);

const revisionJson = fc.oneof(
  fc.constantFrom('0', '1', '2147483647', '2147483648', '-1', '-0', '1.0', '1e3', '1.00000000000000000001'),
  numberText,
);

const valueOf: Readonly<Record<string, fc.Arbitrary<string>>> = {
  event_type: fc.constantFrom('"trade"', '"trade"', '"launch"', '"Trade"', '"\\u0074rade"'),
  tx_hash: hashJson,
  event_time: eventTimeJson,
  trader_address: asJson(fc.oneof(goodAddress, badAddress)),
  pool_address: asJson(fc.oneof(goodAddress, badAddress)),
  token_sold_address: asJson(fc.oneof({ weight: 3, arbitrary: goodAddress }, badAddress)),
  token_bought_address: asJson(fc.oneof({ weight: 3, arbitrary: goodAddress }, badAddress)),
  amount_sold_raw: decimal,
  amount_bought_raw: decimal,
  volume_usd: decimal,
  volume_ton: decimal,
  project: asJson(fc.string({ unit: 'binary', maxLength: 10 })),
  revision: revisionJson,
  deleted: fc.constantFrom('true', 'false', 'null', '"true"', '1'),
  trace_id: fc.constantFrom(
    '"event_time"',
    '"\\"event_time\\":1"',
    '{"event_time":1,"volume_usd":[{"revision":7}]}',
    '"}"',
    '[[["]"]]]',
  ),
};

const keyJson = (key: string) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(JSON.stringify(key)) },
    { weight: 1, arbitrary: fc.constant(`"\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}"`) },
  );

const change = fc
  .constantFrom(...Object.keys(valueOf))
  .chain((key) =>
    fc.tuple(
      fc.constant(key),
      keyJson(key),
      fc.oneof({ weight: 6, arbitrary: valueOf[key] ?? oddJson }, { weight: 1, arbitrary: oddJson }),
      fc.constantFrom<'replace' | 'before' | 'after' | 'remove'>(
        'replace',
        'replace',
        'replace',
        'before',
        'after',
        'remove',
      ),
    ),
  );

const blank = fc.constantFrom('', '', '', ' ', '\n\t ');

/** The JSON text of a message: a good one with up to four changes, in some order of its fields. */
const messageText = fc
  .record({
    changes: fc.array(change, { maxLength: 4 }),
    retracted: fc.nat(9).map((n) => n === 0),
    shuffle: fc.boolean(),
    blanks: fc.tuple(blank, blank, blank),
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ changes, retracted, shuffle, blanks: [a, b, c], order }) => {
    let members = [...fieldsOf({ deleted: retracted ? 'true' : 'null' })].map(([key, value]) => ({
      key,
      text: `${JSON.stringify(key)}${a}:${b}${value}`,
    }));
    for (const [key, keyText, value, how] of changes) {
      const member = { key, text: `${keyText}${b}:${a}${value}` };
      if (how === 'replace' || how === 'remove') members = members.filter((other) => other.key !== key);
      if (how === 'before') members.unshift(member);
      if (how === 'replace' || how === 'after') members.push(member);
    }
    const ranks = shuffle ? members.map(() => order.next().value ?? 0) : members.map((_, index) => index);
    const ordered = members
      .map((member, index) => ({ member, rank: ranks[index] ?? 0 }))
      .sort((x, y) => x.rank - y.rank);
    return `${c}{${a}${ordered.map(({ member }) => member.text).join(`${c},${b}`)}${c}}${a}`;
  });

const damage = fc.array(
  fc.tuple(
    fc.nat(2000),
    fc.constantFrom<'set' | 'insert' | 'delete' | 'cut'>('set', 'set', 'insert', 'delete', 'cut'),
    fc.nat(255),
  ),
  { minLength: 1, maxLength: 3 },
);

const damaged = fc.tuple(messageText, damage).map(([text, faults]) => {
  let bytes = Buffer.from(text);
  for (const [place, how, byte] of faults) {
    const at = place % (bytes.length + 1);
    const rest = bytes.subarray(how === 'set' || how === 'delete' ? at + 1 : at);
    bytes =
      how === 'cut'
        ? bytes.subarray(0, at)
        : Buffer.concat([bytes.subarray(0, at), how === 'delete' ? Buffer.alloc(0) : Buffer.of(byte), rest]);
  }
  return bytes;
});

const value = fc.oneof(
  { weight: 12, arbitrary: messageText.map((text) => Buffer.from(text)) },
  { weight: 3, arbitrary: damaged },
  { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, Buffer.alloc(0), Buffer.from('\ufeff{}'), Buffer.alloc(2 ** 20 + 1, 0x20)),
  },
);

const recordTimestamp = fc.oneof(
  { weight: 8, arbitrary: fc.constant(timestampMs) },
  { weight: 1, arbitrary: fc.integer({ min: -700_000, max: 700_000 }).map((delta) => eventTime * 1000 + delta) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      -1,
      0,
      Date.UTC(2019, 0, 1) - 1,
      Date.UTC(2019, 0, 1),
      Date.UTC(2100, 0, 1),
      Date.UTC(2100, 0, 1) - 1,
    ),
  },
);

const anyMessage = fc.record({ value, timestampMs: recordTimestamp });

function withoutDetail(outcome: TradeOutcome): unknown {
  if (outcome.kind !== 'fault') return outcome;
  return { kind: outcome.kind, reason: outcome.reason, field: outcome.field };
}

describe('the hand-tuned parser', () => {
  it('accepts, skips, refuses and values exactly as the schema does, for random and damaged messages', () => {
    const seen = new Map<string, number>();
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const runs = 6_000;
    fc.assert(
      fc.property(anyMessage, (message) => {
        const outcome = parseTradeMessage(message, assets);
        const name = outcome.kind === 'trade' ? `trade ${outcome.trade.deleted}` : outcome.reason;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expect(withoutDetail(outcome)).toEqual(withoutDetail(parseByReference(message, assets)));
      }),
      { numRuns: runs, seed },
    );
    console.log(
      `equivalence: seed ${seed}, ${runs} messages: ${[...seen].map(([name, count]) => `${name} ${count}`).join(', ')}`,
    );
    // A generator that never came upon an outcome would have proved nothing of it.
    const outcomes = [
      'trade false',
      'trade true',
      'tombstone',
      'other_event_type',
      'launch',
      'null_token',
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
    ];
    expect([...seen.keys()].sort()).toEqual(outcomes.sort());
  }, 600_000);
});
