import { describe, expect, it } from '@jest/globals';
import { divideRounded, isIntegral, plainText, reachesPowerOfTen, readDecimal, scaled } from './exact.js';

const scaledText = (text: string, scale: bigint) => {
  const number = readDecimal(text);
  return number === undefined ? undefined : scaled(number, scale);
};

describe('exact numbers of the oracle', () => {
  it('reads plain and exponent texts to the last digit', () => {
    expect(scaledText('1E-7', 18n)).toBe(100_000_000_000n);
    expect(scaledText('0E-9', 18n)).toBe(0n);
    expect(scaledText('1E+3', 0n)).toBe(1000n);
    expect(scaledText('12345678901234567890.123456789', 9n)).toBe(12_345_678_901_234_567_890_123_456_789n);
    expect(scaledText('100', 0n)).toBe(100n);
  });

  it('refuses what is no number in JSON’s grammar', () => {
    for (const text of ['', ' 1', '1 ', '+1', '.5', '5.', '01', '0x10', '1e', 'abc', '1,5', '1_000']) {
      expect([text, readDecimal(text)]).toEqual([text, undefined]);
    }
  });

  it('rounds to 18 digits half away from zero', () => {
    expect(scaledText('0.0000000000000000005', 18n)).toBe(1n);
    expect(scaledText('0.00000000000000000049999', 18n)).toBe(0n);
    expect(scaledText('0.0000000000000000015', 18n)).toBe(2n);
    expect(scaledText('5E-19', 18n)).toBe(1n);
    expect(scaledText('9E-20', 18n)).toBe(0n);
    expect(scaledText('1E-999999999999', 18n)).toBe(0n);
    expect([divideRounded(5n, 2n), divideRounded(-5n, 2n), divideRounded(-4n, 3n)]).toEqual([3n, -3n, -1n]);
  });

  it('knows size and wholeness without computing a power', () => {
    const huge = readDecimal('1e999999999999');
    const tenE18 = readDecimal('999999999999999999.9');
    if (huge === undefined || tenE18 === undefined) throw new Error('not read');
    expect([reachesPowerOfTen(huge, 37n), reachesPowerOfTen(tenE18, 17n), reachesPowerOfTen(tenE18, 18n)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([isIntegral(huge), isIntegral(tenE18)]).toEqual([true, false]);
  });

  it('writes plain decimals without trailing zeros', () => {
    expect([plainText(12_500n, 3), plainText(-5n, 4), plainText(0n, 4), plainText(70_000n, 4)]).toEqual([
      '12.5',
      '-0.0005',
      '0',
      '7',
    ]);
  });
});
