import { describe, expect, it } from '@jest/globals';
import { assets, jettonA, poolA, timestampMs, traderA, wrappedTon, zeroAddress } from '../test/factory.js';
import { goodBalance, goodMetadata, goodPool, messageOf } from '../test/state-factory.js';
import { parseBalanceMessage } from './parse-balance-message.js';
import { parseMetadataMessage } from './parse-metadata-message.js';
import { parsePoolMessage } from './parse-pool-message.js';
import type { StateMessage, StateOutcome } from './state.js';

type Changes = Readonly<Record<string, string | undefined>>;

const pool = (changes?: Changes) => parsePoolMessage({ value: messageOf(goodPool, changes), timestampMs }, assets);
const balance = (changes?: Changes) =>
  parseBalanceMessage({ value: messageOf(goodBalance, changes), timestampMs }, assets);
const metadata = (changes?: Changes) =>
  parseMetadataMessage({ value: messageOf(goodMetadata, changes), timestampMs }, assets);

function stateOf<State extends StateMessage>(outcome: StateOutcome<State>): State {
  if (outcome.kind !== 'state') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
  return outcome.state;
}
const fault = (reason: string, field: string) => ({ kind: 'fault', reason, field });
const codePoints = (text: string) => Array.from(text).length;
const raw = (address: string) => address.toLowerCase();

describe('a pool message', () => {
  it('gives the state with addresses raw, wrapped native as ton, and numbers exact', () => {
    expect(
      stateOf(pool({ jetton_right: JSON.stringify(wrappedTon), reserves_left: '1E+3', tvl_ton: '"1E-7"' })),
    ).toMatchObject({
      pool: raw(poolA),
      project: 'stonfi',
      leftAsset: raw(jettonA),
      rightAsset: 'ton',
      reservesLeft: 1000n,
      reservesRight: 2000n,
      tvlUsd: '12.5',
      tvlTon: '0.0000001',
      lastUpdated: Math.floor(timestampMs / 1000),
      order: BigInt(Math.floor(timestampMs / 1000)),
      isLiquid: true,
      recordTimestampMs: timestampMs,
    });
  });

  it('needs its pool alone: everything else may be absent or null, last_updated then counts as 0', () => {
    const names = Object.keys(goodPool).filter((name) => name !== 'pool');
    const state = stateOf(pool(Object.fromEntries(names.map((name) => [name, 'null']))));
    const { value: _, ...absent } = stateOf(pool(Object.fromEntries(names.map((name) => [name, undefined]))));
    expect(state).toMatchObject(absent);
    expect(state).toMatchObject({
      lastUpdated: 0,
      order: 0n,
      tvlUsd: null,
      reservesLeft: null,
      isLiquid: null,
      leftAsset: '',
    });
    expect(pool({ pool: 'null' })).toMatchObject(fault('missing_field', 'pool'));
  });

  it('is bad with a tvl below 0 or of 10^18', () => {
    for (const tvl of [
      '"-0.000000001"',
      '"1E+18"',
      '1000000000000000000',
      '"999999999999999999.9999999999999999999"',
    ]) {
      expect(pool({ tvl_usd: tvl })).toMatchObject(fault('volume_out_of_range', 'tvl_usd'));
      expect(pool({ tvl_ton: tvl })).toMatchObject(fault('volume_out_of_range', 'tvl_ton'));
    }
    expect(stateOf(pool({ tvl_usd: '"0E-9"' })).tvlUsd).toBe('0');
  });

  it('is checked in the feed’s order, the record time last', () => {
    const bad = {
      pool: '1',
      jetton_left: '"x"',
      reserves_left: '"-1"',
      tvl_usd: '"NaN"',
      last_updated: '"1"',
      is_liquid: '1',
    };
    const order = ['pool', 'jetton_left', 'reserves_left', 'tvl_usd', 'last_updated', 'is_liquid'];
    for (let from = 0; from < order.length; from += 1) {
      const changes = Object.fromEntries(Object.entries(bad).filter(([name]) => order.indexOf(name) >= from));
      expect(pool(changes)).toMatchObject({ kind: 'fault', field: order[from] });
    }
    expect(parsePoolMessage({ value: messageOf(goodPool, { is_liquid: '1' }), timestampMs: 0 }, assets)).toMatchObject({
      field: 'is_liquid',
    });
    expect(parsePoolMessage({ value: messageOf(goodPool), timestampMs: 0 }, assets)).toMatchObject({
      reason: 'record_time_out_of_range',
    });
  });

  it('is never bad for its project or for what no figure uses', () => {
    const state = stateOf(
      pool({
        project: '5',
        version: '{}',
        total_supply: '"-1"',
        lp_fee: '[]',
        protocol_fee: '0.10',
        extra: '[' + '['.repeat(9) + ']'.repeat(10),
      }),
    );
    expect(state).toMatchObject({ project: '', poolVersion: '', totalSupply: null, lpFee: null, protocolFee: '0.10' });
  });
});

describe('a balance message', () => {
  it('gives owner, asset, shard and a logical time that no double holds', () => {
    expect(stateOf(balance({ lt: '18446744073709551615', amount: '"0"' }))).toMatchObject({
      owner: raw(traderA),
      asset: raw(jettonA),
      shard: 7,
      amount: 0n,
      lt: 2n ** 64n - 1n,
      order: 2n ** 64n - 1n,
    });
    expect(stateOf(balance({ lt: '"47000000000001"' })).lt).toBe(47000000000001n);
  });

  it('of the chain’s own coin is skipped, in whatever form the coin is named', () => {
    const skip = { kind: 'skip', reason: 'native_asset' };
    expect(balance({ asset: '"TON"', address: '5', amount: '"x"' })).toEqual(skip);
    expect(balance({ asset: JSON.stringify(wrappedTon) })).toEqual(skip);
    expect(balance({ asset: JSON.stringify(zeroAddress) })).toEqual(skip);
    expect(balance({ asset: '"ton"' })).toMatchObject(fault('malformed_address', 'asset'));
  });

  it('needs all its fields but mintless_claimed, which is not used', () => {
    for (const field of ['address', 'asset', 'amount', 'timestamp', 'lt']) {
      for (const value of ['null', undefined])
        expect(balance({ [field]: value })).toMatchObject(fault('missing_field', field));
    }
    expect(balance({ mintless_claimed: '"x"' }).kind).toBe('state');
  });

  it('is bad with an amount below 0 or of 2^120, or times that are no integers or out of range', () => {
    expect(balance({ amount: '"-1"' })).toMatchObject(fault('amount_out_of_range', 'amount'));
    expect(balance({ amount: String(2n ** 120n) })).toMatchObject(fault('amount_out_of_range', 'amount'));
    expect(balance({ amount: '"1.5"' })).toMatchObject(fault('wrong_type', 'amount'));
    expect(balance({ lt: '18446744073709551616' })).toMatchObject(fault('event_time_out_of_range', 'lt'));
    expect(balance({ lt: '-1' })).toMatchObject(fault('event_time_out_of_range', 'lt'));
    expect(balance({ lt: '1.0000000000000000000001' })).toMatchObject(fault('wrong_type', 'lt'));
    expect(balance({ timestamp: '4294967296' })).toMatchObject(fault('event_time_out_of_range', 'timestamp'));
    expect(balance({ timestamp: '"5"' })).toMatchObject(fault('wrong_type', 'timestamp'));
  });
});

const updateTimes = (onchain: string, offchain: string) => {
  const { order, earliestUpdate } = stateOf(metadata({ update_time_onchain: onchain, update_time_metadata: offchain }));
  return [order, earliestUpdate];
};

describe('a metadata message', () => {
  it('gives the feed’s own fields and our extensions, cleaned', () => {
    expect(stateOf(metadata({ name: '"\\u202eJet\\u0000ton "', total_supply: '"1E+9"' }))).toMatchObject({
      address: raw(jettonA),
      fields: {
        name: 'Jetton',
        symbol: 'JET',
        description: 'A jetton.',
        image: 'https://images.example/1.png',
        decimals: 9,
        mintable: true,
        admin: raw(traderA),
        codeHash: 'b433d15ef08ffc35c936eba6a3f3b451e7344d54becf6e2a0935da6fd3bf888d',
      },
      extensions: {
        totalSupply: 10n ** 9n,
        offchainImage: null,
        offchainDescription: 'off',
        adminOffchainAddress: null,
        links: [{ name: 'site', url: 'https://jetton.example', type: 'LINK_TYPE_WEBSITE' }],
        createdAt: 1_700_000_000,
      },
    });
  });

  it('cuts a name at 256, a symbol at 64, a description at 4,096 and a URL at 2,048 code points', () => {
    const long = JSON.stringify('💎'.repeat(5_000));
    const { fields, extensions } = stateOf(
      metadata({
        name: long,
        symbol: long,
        description: long,
        image: long,
        offchain_image: long,
        offchain_description: long,
      }),
    );
    const lengths = [fields.name, fields.symbol, fields.description, fields.image].map(codePoints);
    expect(lengths).toEqual([256, 64, 4_096, 2_048]);
    expect([codePoints(extensions.offchainImage ?? ''), codePoints(extensions.offchainDescription ?? '')]).toEqual([
      2_048, 4_096,
    ]);
  });

  it('takes image, else tonapi_image_url', () => {
    for (const image of ['null', undefined, '""', '" "']) {
      expect(stateOf(metadata({ image })).fields.image).toBe('https://images.example/1.webp');
    }
    expect(stateOf(metadata({ image: 'null', tonapi_image_url: 'null' })).fields.image).toBe('');
  });

  it('has no admin where that is null or the zero address of any workchain', () => {
    for (const admin of ['null', JSON.stringify(zeroAddress), JSON.stringify(`-1:${'0'.repeat(64)}`)]) {
      expect(stateOf(metadata({ admin_address: admin })).fields.admin).toBe('');
    }
    expect(metadata({ admin_address: '""' })).toMatchObject(fault('malformed_address', 'admin_address'));
  });

  it('knows decimals from 0 to 255 as number or text; any other value is unknown and no fault', () => {
    for (const [written, known] of [
      ['0', 0],
      ['"6"', 6],
      ['255', 255],
      ['9.0', 9],
      ['"1E1"', 10],
    ] as const) {
      expect(stateOf(metadata({ decimals: written })).fields.decimals).toBe(known);
    }
    for (const written of ['256', '-1', '1.5', '"x"', 'null', '{}', 'true', '1e999', '9.0000000000000000000001']) {
      expect(stateOf(metadata({ decimals: written })).fields.decimals).toBe(null);
    }
  });

  it('is ordered by the greater update time; null and 0 are none', () => {
    expect([updateTimes('5', '7'), updateTimes('7', '5'), updateTimes('null', '6'), updateTimes('0', 'null')]).toEqual([
      [7n, 5],
      [7n, 5],
      [6n, 6],
      [0n, null],
    ]);
  });

  it('keeps links that are http or https, at most 32, with the type its text names', () => {
    const type = (text: string) =>
      stateOf(metadata({ links: JSON.stringify([{ url: 'https://a.example', type: text }]) })).extensions.links?.[0]
        ?.type;
    expect(['website', 'LINK_TYPE_TELEGRAM', 'Twitter', ' x ', 'GitHub', 'discord', 'other', ''].map(type)).toEqual([
      'LINK_TYPE_WEBSITE',
      'LINK_TYPE_TELEGRAM',
      'LINK_TYPE_X',
      'LINK_TYPE_X',
      'LINK_TYPE_GITHUB',
      'LINK_TYPE_DISCORD',
      'LINK_TYPE_UNSPECIFIED',
      'LINK_TYPE_UNSPECIFIED',
    ]);
    const urls = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//a.example',
      'ftp://a.example',
      'https://',
      ...Array.from({ length: 40 }, (_, index) => `http://${index}.example`),
    ];
    const { links } = stateOf(metadata({ links: JSON.stringify(urls.map((url) => ({ url }))) })).extensions;
    expect(links?.map(({ url }) => url)).toEqual(urls.slice(5, 37));
  });

  it('of native or one of its wrapped forms is skipped: it is no jetton', () => {
    for (const address of [zeroAddress, wrappedTon]) {
      expect(metadata({ address: JSON.stringify(address) })).toEqual({ kind: 'skip', reason: 'native_asset' });
    }
  });

  it('is bad where a field in use is of the wrong type, malformed or out of range', () => {
    for (const [field, value, reason] of [
      ['address', 'null', 'missing_field'],
      ['address', '"EQabc"', 'malformed_address'],
      ['update_time_onchain', '"5"', 'wrong_type'],
      ['update_time_metadata', '-1', 'event_time_out_of_range'],
      ['mintable', '1', 'wrong_type'],
      ['code_hash', '"abc"', 'malformed_hash'],
      ['symbol', '5', 'wrong_type'],
      ['name', '{}', 'wrong_type'],
      ['description', '[]', 'wrong_type'],
      ['image', 'true', 'wrong_type'],
      ['total_supply', '"-1"', 'amount_out_of_range'],
      ['total_supply', '"Infinity"', 'not_finite'],
      ['offchain_image', '5', 'wrong_type'],
      ['admin_offchain_address', '"x"', 'malformed_address'],
      ['links', '{}', 'wrong_type'],
      ['links', '["https://a.example"]', 'wrong_type'],
      ['created_at', '1.5', 'wrong_type'],
    ] as const) {
      expect(metadata({ [field]: value })).toMatchObject(fault(reason, field));
    }
  });

  it('is not bad for fields that are not used', () => {
    const unused = {
      jetton_content_onchain: '5',
      jetton_wallet_code_hash: '5',
      metadata_status: '"x"',
      image_data: '{}',
      sources: '[]',
    };
    expect(metadata(unused).kind).toBe('state');
  });
});
