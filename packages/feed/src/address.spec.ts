import { describe, expect, it } from '@jest/globals';
import { Address } from '@ton/core';
import * as fc from 'fast-check';
import { normaliseFeedAddress, parseAddress, toUserFriendly } from './address.js';

const hash = 'b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';
const usdt = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
const mainnet = { network: 'mainnet' } as const;
const testnet = { network: 'testnet' } as const;

describe('addresses as people write them', () => {
  it('reads raw addresses in any case and gives them back in lower case', () => {
    expect(parseAddress(`0:${hash.toUpperCase()}`, mainnet)).toEqual({ ok: true, raw: `0:${hash}` });
    expect(parseAddress(`-1:${hash}`, mainnet)).toEqual({ ok: true, raw: `-1:${hash}` });
  });

  it('reads user-friendly addresses, bounceable or not, in base64 and base64url', () => {
    const address = Address.parseRaw(`0:${hash}`);
    for (const bounceable of [true, false]) {
      for (const urlSafe of [true, false]) {
        expect(parseAddress(address.toString({ bounceable, urlSafe }), mainnet)).toEqual({
          ok: true,
          raw: `0:${hash}`,
        });
      }
    }
    expect(parseAddress(usdt, mainnet)).toEqual({ ok: true, raw: `0:${hash}` });
  });

  it('refuses a user-friendly address whose checksum is wrong, at any character', () => {
    for (let at = 0; at < usdt.length; at += 1) {
      const typo = usdt.slice(0, at) + (usdt[at] === 'A' ? 'B' : 'A') + usdt.slice(at + 1);
      expect({ at, ok: parseAddress(typo, mainnet).ok }).toEqual({ at, ok: false });
    }
  });

  it('refuses test-net forms on mainnet and takes them on testnet', () => {
    const form = Address.parseRaw(`0:${hash}`).toString({ testOnly: true });
    expect(parseAddress(form, mainnet)).toEqual({ ok: false, reason: 'must not be a test-net address' });
    expect(parseAddress(form, testnet)).toEqual({ ok: true, raw: `0:${hash}` });
    expect(parseAddress(usdt, testnet)).toEqual({ ok: true, raw: `0:${hash}` });
  });

  it('reads the workchain of a user-friendly address as a signed byte', () => {
    for (const workchain of [-128, -2, -1, 0, 127]) {
      const raw = `${workchain}:${hash}`;
      expect(parseAddress(toUserFriendly(raw, { bounceable: true }), mainnet)).toEqual({ ok: true, raw });
    }
  });

  it.each([
    '',
    'abc',
    ` ${usdt}`,
    `${usdt}\n`,
    usdt.slice(1),
    `${usdt}A`,
    `0:${hash}0`,
    `x:${hash}`,
    'é'.repeat(48),
    ':',
  ])('refuses %j', (text) => {
    expect(parseAddress(text, testnet).ok).toBe(false);
  });

  it('reads back every address it writes, in both forms', () => {
    const anyRaw = fc
      .tuple(fc.integer({ min: -128, max: 127 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
      .map(([workchain, bytes]) => `${workchain}:${Buffer.from(bytes).toString('hex')}`);
    fc.assert(
      fc.property(anyRaw, fc.boolean(), fc.boolean(), (raw, bounceable, testOnly) => {
        expect(parseAddress(raw.toUpperCase(), mainnet)).toEqual({ ok: true, raw });
        expect(parseAddress(toUserFriendly(raw, { bounceable, testOnly }), testnet)).toEqual({ ok: true, raw });
      }),
    );
  });
});

describe('the user-friendly form', () => {
  it('is EQ… for contracts and UQ… for wallets', () => {
    expect(toUserFriendly(`0:${hash}`, { bounceable: true })).toBe(usdt);
    expect(toUserFriendly(`0:${hash}`, { bounceable: false })).toMatch(/^UQ/);
  });

  it('does not exist beyond one byte of workchain: the raw form comes back', () => {
    expect(toUserFriendly(`128:${hash}`, { bounceable: true })).toBe(`128:${hash}`);
    expect(toUserFriendly(`-129:${hash}`, { bounceable: true })).toBe(`-129:${hash}`);
  });

  it('is refused for what is no raw address', () => {
    expect(() => toUserFriendly(usdt, { bounceable: true })).toThrow('not a raw address');
  });
});

describe('addresses of the feed', () => {
  it('are raw, in either case, also mixed', () => {
    expect(normaliseFeedAddress(`0:${hash}`)).toBe(`0:${hash}`);
    expect(normaliseFeedAddress(`0:${hash.toUpperCase()}`)).toBe(`0:${hash}`);
    expect(normaliseFeedAddress(`-1:${hash.slice(0, 32).toUpperCase()}${hash.slice(32)}`)).toBe(`-1:${hash}`);
  });

  it('have a workchain of 32 signed bits', () => {
    for (const workchain of ['-2147483648', '2147483647', '17', '1000000000', '-999999999']) {
      expect(normaliseFeedAddress(`${workchain}:${hash}`)).toBe(`${workchain}:${hash}`);
    }
    for (const workchain of ['-2147483649', '2147483648', '9999999999', '99999999999']) {
      expect(normaliseFeedAddress(`${workchain}:${hash}`)).toBeUndefined();
    }
  });

  it.each(['00', '-0', '+1', '01', '', '1e1', ' 0', '0x0', '٠', '0.0'])('refuse the workchain %j', (workchain) => {
    expect(normaliseFeedAddress(`${workchain}:${hash}`)).toBeUndefined();
  });

  it('refuse a wrong character at any place', () => {
    const address = `0:${hash}`;
    const accepted: string[] = [];
    for (let at = 0; at < address.length; at += 1) {
      for (const wrong of ['g', 'G', '/', ':', '@', '`', ' ', '\u0660', '\ud83d', '\u0130']) {
        const text = address.slice(0, at) + wrong + address.slice(at + 1);
        if (text !== address && normaliseFeedAddress(text) !== undefined) accepted.push(text);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('refuse user-friendly forms and other lengths', () => {
    for (const text of [usdt, '', '0:', `0:${hash.slice(1)}`, `0:${hash}0`, `0:${hash}\n`]) {
      expect(normaliseFeedAddress(text)).toBeUndefined();
    }
  });
});
