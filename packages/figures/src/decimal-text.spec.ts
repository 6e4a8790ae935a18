import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decimalText, parseDecimal, scaledFromDecimal } from './decimal-text.js';

describe('decimal text', () => {
  it('is read exactly, with and without trailing zeros', () => {
    expect(parseDecimal('123.456')).toEqual({ value: 123_456n, decimals: 3 });
    expect(parseDecimal('123.456000000000000000').value).toBe(123_456n * 10n ** 15n);
    expect(parseDecimal('-0.5')).toEqual({ value: -5n, decimals: 1 });
    expect(parseDecimal('0')).toEqual({ value: 0n, decimals: 0 });
    expect(scaledFromDecimal('123.456', 18)).toBe(123_456n * 10n ** 15n);
    expect(scaledFromDecimal('-0.5', 3)).toBe(-500n);
    expect(scaledFromDecimal('1.500', 1)).toBe(15n);
  });

  it('keeps all 76 digits of the widest decimal', () => {
    const text = `${'9'.repeat(58)}.${'9'.repeat(18)}`;
    expect(scaledFromDecimal(text, 18)).toBe(10n ** 76n - 1n);
    expect(decimalText(10n ** 76n - 1n, 18)).toBe(text);
  });

  it('that would lose a digit or is no plain decimal is refused', () => {
    expect(() => scaledFromDecimal('1.05', 1)).toThrow('more than 1 fractional digits: 1.05');
    for (const text of ['', '1e3', '.5', '5.', '+1', ' 1', '1 ', '0x10', 'NaN', '1.2.3', '--1', '1_0']) {
      expect(() => parseDecimal(text)).toThrow(RangeError);
      expect(() => scaledFromDecimal(text, 18)).toThrow(RangeError);
    }
  });

  it('is written plainly, without trailing zeros and without -0', () => {
    expect(decimalText(123_450n, 3)).toBe('123.45');
    expect(decimalText(5n, 3)).toBe('0.005');
    expect(decimalText(-5n, 3)).toBe('-0.005');
    expect(decimalText(5_000n, 3)).toBe('5');
    expect(decimalText(0n, 3)).toBe('0');
    expect(decimalText(42n, 0)).toBe('42');
    expect(decimalText(100n, 0)).toBe('100');
  });

  it('reads back to the number it was written from', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 76n), max: 10n ** 76n }),
        fc.integer({ min: 0, max: 40 }),
        (value, scale) => {
          expect(scaledFromDecimal(decimalText(value, scale), scale)).toBe(value);
        },
      ),
    );
  });
});
