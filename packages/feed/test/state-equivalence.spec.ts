import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { FeedMessage } from '../src/open-message.js';
import { parseBalanceMessage } from '../src/parse-balance-message.js';
import { parseMetadataMessage } from '../src/parse-metadata-message.js';
import { parsePoolMessage } from '../src/parse-pool-message.js';
import type { StateMessage, StateOutcome } from '../src/state.js';
import { assets, jettonA, timestampMs, usdt, wrappedTon, zeroAddress } from './factory.js';
import { balanceByReference, metadataByReference, poolByReference } from './reference-states.js';
import { codeHash, goodBalance, goodMetadata, goodPool } from './state-factory.js';

const oddJson = ['null', 'true', 'false', '0', '-1', '""', '"x"', '[]', '{}', '1.5', '1e400', '"NaN"', '"-inf"'];
const addresses = [
  jettonA,
  usdt,
  wrappedTon,
  zeroAddress,
  `-1:${'0'.repeat(64)}`,
  '0:12',
  'EQabc',
  jettonA.slice(1),
  'TON',
];
const numbers = [
  '0',
  '1E3',
  '1e-1',
  '10.0',
  '2.50',
  '4294967295',
  '4294967296',
  '18446744073709551615',
  '18446744073709551616',
  String(2n ** 120n - 1n),
  String(2n ** 120n),
  '999999999999999999.9999999999999999994',
  '1e18',
  '1E-40',
  '1.0000000000000000000000001',
  '255',
  '256',
  '1E999999999',
  '-0',
  '-0.5',
  '9007199254740993',
];
const texts = [
  'plain',
  ' padded ',
  'a\u0000b\u0007\u001f',
  '\u007f\u009f',
  '\u202eevil\u2066x\u200f',
  '💎'.repeat(70),
  'x'.repeat(5_000),
  '\ud800lone',
  '<b>',
  '\ufeff',
  '  ',
];
const linkLists = [
  '[]',
  '[{}]',
  '[1]',
  '[null]',
  '[[]]',
  '[{"name":1}]',
  '[{"name":"a","url":"javascript:alert(1)","type":"website"}]',
  '[{"name":"\\u202ea","url":" HTTPS://a.example/ ","type":"LINK_TYPE_X"},{"url":"http://b.example","type":"Twitter "}]',
  '[{"url":"https://c.example","type":"carrier pigeon"},{"url":"ftp://d.example"},{"url":"https:e.example"}]',
  JSON.stringify(Array.from({ length: 40 }, (_, index) => ({ url: `https://${index}.example`, type: 'tg' }))),
];
const hashes = [
  codeHash,
  codeHash.slice(1),
  `${codeHash}=`,
  codeHash.replace('I0=', 'I1='),
  codeHash.replace('/', '_'),
];

const anyJson = fc.oneof(
  fc.constantFrom(...oddJson),
  fc.constantFrom(...addresses).map((text) => JSON.stringify(text)),
  fc.constantFrom(...numbers),
  fc.constantFrom(...numbers).map((text) => JSON.stringify(text)),
  fc.constantFrom(...texts).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'binary', maxLength: 80 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(...linkLists),
  fc.constantFrom(...hashes).map((text) => JSON.stringify(text)),
);

type Aimed = readonly (readonly [key: string, value: string])[];

const messageOf = (good: Readonly<Record<string, string>>, aimed: Aimed): fc.Arbitrary<FeedMessage> => {
  const change = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom(...Object.keys(good)), fc.option(anyJson, { nil: undefined }), fc.boolean()),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...aimed), fc.boolean())
        .map(([[key, value], twice]) => [key, value, twice] as const),
    },
  );
  const text = fc.array(change, { maxLength: 3 }).map((changes) => {
    let members = Object.entries(good).map(([key, value]) => [key, value] as const);
    for (const [key, value, isTwice] of changes) {
      if (!isTwice) members = members.filter(([other]) => other !== key);
      if (value !== undefined) members.push([key, value]);
    }
    return Buffer.from(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`);
  });
  const damaged = fc.tuple(text, fc.nat(400), fc.nat(255)).map(([bytes, at, byte]) => {
    const copy = Buffer.from(bytes);
    copy[at % copy.length] = byte;
    return copy;
  });
  return fc.record({
    value: fc.oneof(
      { weight: 12, arbitrary: text },
      { weight: 2, arbitrary: damaged },
      {
        weight: 1,
        arbitrary: fc.constantFrom(null, Buffer.from('[]'), Buffer.from('1'), Buffer.alloc(2 ** 20 + 1, 32)),
      },
    ),
    timestampMs: fc.oneof(
      { weight: 12, arbitrary: fc.constant(timestampMs) },
      { weight: 1, arbitrary: fc.constantFrom(-1, 1_546_300_799_999, 1_546_300_800_000, 4_102_444_800_000) },
    ),
  });
};

interface Case {
  readonly topic: string;
  readonly good: Readonly<Record<string, string>>;
  /** Values that mere chance would seldom bring to their field. */
  readonly aimed: Aimed;
  readonly parse: (message: FeedMessage) => StateOutcome<StateMessage>;
  readonly reference: (message: FeedMessage) => unknown;
  /** Outcomes that the messages must have come upon, or the comparison would have proved nothing of them. */
  readonly outcomes: readonly string[];
}

const always = ['tombstone', 'not_utf8', 'not_json', 'not_object', 'missing_field', 'wrong_type', 'malformed_address'];
const alike = [...always, 'too_large', 'record_time_out_of_range', 'event_time_out_of_range', 'amount_out_of_range'];
const cases: readonly Case[] = [
  {
    topic: 'pools',
    good: goodPool,
    aimed: [
      ['reserves_left', '"-1"'],
      ['tvl_usd', '"Infinity"'],
      ['tvl_ton', '-1e-9'],
    ],
    parse: (message) => parsePoolMessage(message, assets),
    reference: (message) => poolByReference(message, assets),
    outcomes: ['state', ...alike, 'volume_out_of_range', 'not_finite'],
  },
  {
    topic: 'balances',
    good: goodBalance,
    aimed: [
      ['asset', '"TON"'],
      ['asset', JSON.stringify(wrappedTon)],
      ['amount', '"NaN"'],
      ['lt', '18446744073709551616'],
    ],
    parse: (message) => parseBalanceMessage(message, assets),
    reference: (message) => balanceByReference(message, assets),
    outcomes: ['state', 'native_asset', ...alike, 'not_finite'],
  },
  {
    topic: 'metadata',
    good: goodMetadata,
    aimed: [
      ['address', JSON.stringify(zeroAddress)],
      ['total_supply', '"nan"'],
      ['total_supply', '-1'],
      ['created_at', '4294967296'],
      ['links', '[{"url":1}]'],
    ],
    parse: (message) => parseMetadataMessage(message, assets),
    reference: (message) => metadataByReference(message, assets),
    outcomes: ['state', 'native_asset', ...alike, 'malformed_hash', 'not_finite'],
  },
];

function comparable(outcome: unknown): unknown {
  const { kind, reason, field, state } = outcome as Record<string, unknown>;
  if (kind === 'fault') return { kind, reason, field };
  if (kind !== 'state') return outcome;
  const { value: _, ...rest } = state as Record<string, unknown>;
  return rest;
}

describe('the parsers of the state topics', () => {
  it.each(cases)(
    '($topic) accept, skip, refuse and clean exactly as the schema does, for random and damaged messages',
    ({ topic, good, aimed, parse, reference, outcomes }) => {
      const seed = Math.trunc(Math.random() * 2 ** 31);
      const seen = new Map<string, number>();
      fc.assert(
        fc.property(messageOf(good, aimed), (message) => {
          const outcome = parse(message);
          const name = 'reason' in outcome ? outcome.reason : 'state';
          seen.set(name, (seen.get(name) ?? 0) + 1);
          expect(comparable(outcome)).toEqual(comparable(reference(message)));
        }),
        { numRuns: 4_000, seed },
      );
      console.log(`${topic}: seed ${seed}: ${[...seen].map(([name, count]) => `${name} ${count}`).join(', ')}`);
      expect([...seen.keys()].sort()).toEqual([...outcomes].sort());
    },
    480_000,
  );
});
