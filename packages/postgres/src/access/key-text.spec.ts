import { describe, expect, it } from '@jest/globals';
import { isKeyText, keyHashOf, keyPrefixOf, newKeyText } from './key-text.js';

describe('the text of a key', () => {
  it('is ja_live_ with 32 characters of randomness and 6 of checksum, each different', () => {
    const keys = Array.from({ length: 500 }, newKeyText);
    expect(new Set(keys).size).toBe(500);
    for (const key of keys) expect(key).toMatch(/^ja_live_[0-9A-Za-z]{38}$/);
    expect(keys.every(isKeyText)).toBe(true);
  });

  it('uses all 62 digits alike', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 2_000; round += 1) {
      for (const digit of newKeyText().slice(8, 40)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // 64,000 digits, 1,032 expected of each with a deviation of 32: ten deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1_032)).toBeLessThan(320);
  });

  it('shows any changed, missing or exchanged character by its checksum', () => {
    const key = newKeyText();
    for (let place = 8; place < key.length; place += 1) {
      const other = key[place] === 'a' ? 'b' : 'a';
      expect(isKeyText(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
    }
    for (const bad of [
      '',
      'ja_live_',
      key.slice(1),
      `${key}0`,
      key.toUpperCase(),
      key.replace('live', 'test'),
      ` ${key}`,
    ]) {
      expect(isKeyText(bad)).toBe(false);
    }
  });

  it('takes a key made earlier: its form must never change', () => {
    const key = 'ja_live_0123456789ABCDEFGHIJKLMNOPQRSTUV3qOrpc';
    expect(isKeyText(key)).toBe(true);
    expect(keyPrefixOf(key)).toBe('ja_live_01234567');
    expect(keyHashOf(key)).toHaveLength(32);
  });
});
