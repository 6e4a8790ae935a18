import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@jetton-analytics/feed';
import { AddressBookWriter } from './address-book.js';

const jetton = `0:${'a1'.repeat(32)}`;
const wallet = `0:${'b2'.repeat(32)}`;
const writer = new AddressBookWriter({
  network: 'mainnet',
  nameOf: (address) => (address === jetton ? 'A "quoted" name' : undefined),
});

describe('addressBook', () => {
  it('has one entry for every address, jettons and pools bounceable, wallets not, named where a name is known', () => {
    const book = JSON.parse(
      writer.text([
        [jetton, 'jetton'],
        [wallet, 'wallet'],
        [jetton, 'jetton'],
      ]),
    ) as Record<string, { userFriendly: string; kind: string; name?: string }>;
    expect(Object.keys(book)).toEqual([jetton, wallet]);
    expect(book[jetton]).toEqual({
      userFriendly: expect.stringMatching(/^EQ/) as unknown,
      kind: 'jetton',
      name: 'A "quoted" name',
    });
    expect(book[wallet]).toEqual({ userFriendly: expect.stringMatching(/^UQ/) as unknown, kind: 'wallet' });
  });

  it('gives user-friendly forms that lead back to the raw address', () => {
    for (const kind of ['jetton', 'pool', 'wallet'] as const) {
      expect(parseAddress(writer.friendly(wallet, kind), { network: 'mainnet' })).toEqual({ ok: true, raw: wallet });
    }
  });

  it('shows an address of several roles as a jetton before a pool before a wallet', () => {
    const text = writer.text([
      [jetton, 'wallet'],
      [jetton, 'jetton'],
      [jetton, 'pool'],
    ]);
    expect(JSON.parse(text)).toMatchObject({ [jetton]: { kind: 'jetton' } });
  });

  it('writes test-net forms where the service is of the test net', () => {
    const testnet = new AddressBookWriter({ network: 'testnet', nameOf: () => undefined });
    expect(testnet.friendly(jetton, 'jetton')).toMatch(/^kQ/);
  });
});
