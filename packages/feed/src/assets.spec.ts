import { describe, expect, it } from '@jest/globals';
import { assets, settings, usdt, wrappedTon, zeroAddress } from '../test/factory.js';
import { createAssets } from './assets.js';

const jetton = `0:${'ab'.repeat(32)}`;
const usdtRaw = usdt.toLowerCase();
const lsd = settings.LSD_ADDRESSES[0] ?? '';

describe('quote assets', () => {
  it('unifies the zero address and every wrapped form to ton', () => {
    expect(settings.NATIVE_ADDRESSES).toHaveLength(6);
    for (const address of settings.NATIVE_ADDRESSES) expect(assets.unify(address)).toBe('ton');
    expect(assets.unify(zeroAddress)).toBe('ton');
    expect(assets.isNative(wrappedTon.toLowerCase())).toBe(true);
  });

  it('leaves stables, LSDs and other jettons as they are', () => {
    for (const address of [usdtRaw, lsd, jetton]) expect(assets.unify(address)).toBe(address);
  });

  it('knows native, stables and LSDs as quote assets and nothing else', () => {
    expect([assets.isQuote('ton'), assets.isQuote(usdtRaw), assets.isQuote(lsd)]).toEqual([true, true, true]);
    expect(assets.isQuote(jetton)).toBe(false);
    expect(assets.isQuote(wrappedTon.toLowerCase())).toBe(false);
  });

  it('gives native 9 decimals, a stable 6, an LSD 9 and others none', () => {
    expect(['ton', usdtRaw, lsd, jetton].map((asset) => assets.decimalsOf(asset))).toEqual([9, 6, 9, undefined]);
  });

  it('keeps the stables in the order of the setting', () => {
    expect(assets.stables).toEqual(settings.STABLE_ADDRESSES);
    expect(assets.stables[0]).toBe(usdtRaw);
  });

  it('refuses one address in two lists', () => {
    expect(() => createAssets({ ...settings, LSD_ADDRESSES: [usdtRaw] })).toThrow(/LSD_ADDRESSES.*STABLE_ADDRESSES/);
    expect(() => createAssets({ ...settings, STABLE_ADDRESSES: [zeroAddress] })).toThrow(/NATIVE_ADDRESSES/);
    expect(() => createAssets({ ...settings, LSD_ADDRESSES: [zeroAddress] })).toThrow(/NATIVE_ADDRESSES/);
  });
});
