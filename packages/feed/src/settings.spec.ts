import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { feedSettings, networkSettings } from './settings.js';

const Settings = z.object({ ...feedSettings, ...networkSettings });
const zero = `0:${'0'.repeat(64)}`;

function issuesOf(env: Record<string, string>) {
  const result = Settings.safeParse(env);
  return (result.error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]);
}

describe('settings of the feed', () => {
  it('have the defaults of the feed: quote assets, smallest priced trade, topics, network', () => {
    const settings = Settings.parse({});
    expect(settings.NATIVE_ADDRESSES).toHaveLength(6);
    expect(settings.STABLE_ADDRESSES).toHaveLength(4);
    expect(settings.LSD_ADDRESSES).toHaveLength(2);
    expect(settings.STABLE_ADDRESSES[0]).toBe('0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe');
    expect(settings).toMatchObject({
      PRICE_MIN_TRADE_USD: '1',
      DEX_TRADES_TOPIC: 'indexer.streaming_dex_trades',
      DEX_POOLS_TOPIC: 'indexer.streaming_dex_pools',
      JETTON_METADATA_TOPIC: 'indexer.streaming_jetton_metadata',
      BALANCES_TOPIC: 'indexer.streaming_balances_history',
      NETWORK: 'mainnet',
    });
  });

  it('take address lists in any form, with blanks, each address once, in their order', () => {
    const jetton = `0:${'AB'.repeat(32)}`;
    const list = `${jetton}, EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs,${jetton.toLowerCase()}`;
    expect(Settings.parse({ STABLE_ADDRESSES: list }).STABLE_ADDRESSES).toEqual([
      jetton.toLowerCase(),
      '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
    ]);
  });

  it('name the setting and the index of a wrong address, all at once', () => {
    expect(issuesOf({ NATIVE_ADDRESSES: `${zero},abc,${zero},`, LSD_ADDRESSES: 'x' })).toEqual([
      ['NATIVE_ADDRESSES.1', expect.stringContaining('address 1: must be a raw address')],
      ['NATIVE_ADDRESSES.3', expect.stringContaining('address 3: must be')],
      ['LSD_ADDRESSES.0', expect.stringContaining('address 0: must be')],
    ]);
  });

  it('may name no stable and no LSD, but not no native asset', () => {
    expect(Settings.parse({ STABLE_ADDRESSES: '', LSD_ADDRESSES: ' ' })).toMatchObject({
      STABLE_ADDRESSES: [],
      LSD_ADDRESSES: [],
    });
    expect(issuesOf({ NATIVE_ADDRESSES: '' })).toEqual([['NATIVE_ADDRESSES', 'must name at least the zero address']]);
  });

  it.each([
    ['0', '0'],
    ['1', '1'],
    ['0.50', '0.5'],
    ['1E+3', '1000'],
    ['25e-1', '2.5'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['999999999999999999.999999999999999999', '999999999999999999.999999999999999999'],
  ])('read PRICE_MIN_TRADE_USD=%s as the exact decimal %s', (text, expected) => {
    expect(Settings.parse({ PRICE_MIN_TRADE_USD: text }).PRICE_MIN_TRADE_USD).toBe(expected);
  });

  it.each(['', '-1', 'abc', 'NaN', '1e18', '0.0000000000000000001', '1E+999999999'])(
    'refuse PRICE_MIN_TRADE_USD=%j by name',
    (text) => {
      expect(issuesOf({ PRICE_MIN_TRADE_USD: text })).toEqual([
        ['PRICE_MIN_TRADE_USD', expect.stringContaining('must be a decimal')],
      ]);
    },
  );

  it.each(['', '.', '..', 'a b', 'ä', 'x'.repeat(250)])('refuse the topic name %j', (name) => {
    expect(issuesOf({ DEX_TRADES_TOPIC: name })).toEqual([['DEX_TRADES_TOPIC', expect.stringContaining('topic name')]]);
  });

  it('each say what they are for', () => {
    for (const [name, schema] of Object.entries({ ...feedSettings, ...networkSettings })) {
      expect([name, schema.description]).toEqual([name, expect.stringMatching(/.{10}/)]);
    }
  });
});
