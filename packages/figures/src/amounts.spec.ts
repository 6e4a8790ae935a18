import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decimalExponent, isPrice, priceAmount, priceDecimals, roundedAmount, volumeDecimals } from './amounts.js';
import { parseDecimal } from './decimal-text.js';
import type { Rational } from './exact.js';

const fraction = (numerator: bigint, denominator = 1n): Rational => ({ numerator, denominator });
const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);

describe('a volume', () => {
  it('has 6 decimals in usd or any fiat and 9 in ton', () => {
    const exact = parseDecimal('123.456789012345678901');
    expect(roundedAmount(exact, volumeDecimals.fiat)).toEqual({ value: '123456789', decimals: 6 });
    expect(roundedAmount(exact, volumeDecimals.ton)).toEqual({ value: '123456789012', decimals: 9 });
  });

  it('is rounded half away from zero', () => {
    expect(roundedAmount(parseDecimal('0.0000005'), 6).value).toBe('1');
    expect(roundedAmount(parseDecimal('0.000000499999999999'), 6).value).toBe('0');
    expect(roundedAmount(parseDecimal('-0.0000005'), 6).value).toBe('-1');
    expect(roundedAmount(parseDecimal('-0.0000004'), 6).value).toBe('0');
  });

  it('of zero is "0" without a sign or leading zeros', () => {
    expect(roundedAmount(parseDecimal('0.000000000000000000'), 6)).toEqual({ value: '0', decimals: 6 });
    expect(roundedAmount(parseDecimal('7'), 9)).toEqual({ value: '7000000000', decimals: 9 });
  });
});

describe('a price', () => {
  it('has n = 9 natural decimals in ton and against a counterpart, 6 in usd and fiat', () => {
    expect(priceDecimals).toEqual({ ton: 9, counterpart: 9, fiat: 6 });
  });

  it('shows 12 significant digits: s = 11 − e decimals where that is more than n', () => {
    // 1/3: e = −1, s = 12, 0.333333333333
    expect(priceAmount(fraction(1n, 3n), 9)).toEqual({ value: '333333333333', decimals: 12 });
    // 2/3000: e = −4 (0.000666…), s = 15, 666666666666.66… rounds up
    expect(priceAmount(fraction(2n, 3_000n), 9)).toEqual({ value: '666666666667', decimals: 15 });
    // 1: e = 0, s = 11
    expect(priceAmount(fraction(1n), 9)).toEqual({ value: '100000000000', decimals: 11 });
    // 12.5: e = 1, s = 10
    expect(priceAmount(fraction(25n, 2n), 9)).toEqual({ value: '125000000000', decimals: 10 });
    // 123.4: e = 2, s = max(9, 9)
    expect(priceAmount(fraction(1_234n, 10n), 9)).toEqual({ value: '123400000000', decimals: 9 });
  });

  it('shows its natural scale n where that is more than 12 digits', () => {
    // 12,345.678901234567: e = 4, 11 − e = 7 < 9
    expect(priceAmount(fraction(12_345_678_901_234_567n, tenTo(12)), 9)).toEqual({
      value: '12345678901235',
      decimals: 9,
    });
    // the same in usd: 7 > 6
    expect(priceAmount(fraction(12_345_678_901_234_567n, tenTo(12)), 6)).toEqual({
      value: '123456789012',
      decimals: 7,
    });
    // 1,234,567.8: e = 6, 11 − e = 5 < 6
    expect(priceAmount(fraction(12_345_678n, 10n), 6)).toEqual({ value: '1234567800000', decimals: 6 });
  });

  it('keeps s when rounding carries into another digit', () => {
    // 0.9999999999996: e = −1, s = 12; 999,999,999,999.6 → 10^12, still with 12 decimals
    expect(priceAmount(fraction(9_999_999_999_996n, tenTo(13)), 9)).toEqual({ value: '1000000000000', decimals: 12 });
  });

  it('has at most 36 decimals', () => {
    expect(priceAmount(fraction(1n, tenTo(24)), 9)).toEqual({ value: '100000000000', decimals: 35 });
    expect(priceAmount(fraction(1n, tenTo(25)), 9)).toEqual({ value: '100000000000', decimals: 36 });
    expect(priceAmount(fraction(1n, tenTo(30)), 9)).toEqual({ value: '1000000', decimals: 36 });
  });

  it('that is unknown, 0 or rounds to 0 is {"value":"0","decimals":n} and counts as no price', () => {
    expect(priceAmount(undefined, 9)).toEqual({ value: '0', decimals: 9 });
    expect(priceAmount(fraction(0n), 6)).toEqual({ value: '0', decimals: 6 });
    // 4.9 × 10^-37 is 0.49 units of 10^-36
    expect(priceAmount(fraction(49n, tenTo(38)), 9)).toEqual({ value: '0', decimals: 9 });
    // 5 × 10^-37 is half a unit: away from zero
    expect(priceAmount(fraction(5n, tenTo(37)), 9)).toEqual({ value: '1', decimals: 36 });
    expect(isPrice({ value: '0', decimals: 9 })).toBe(false);
    expect(isPrice({ value: '1', decimals: 36 })).toBe(true);
  });

  it('of 10^30 or more is no price', () => {
    expect(priceAmount(fraction(tenTo(30)), 9)).toEqual({ value: '0', decimals: 9 });
    expect(priceAmount(fraction(tenTo(300)), 6)).toEqual({ value: '0', decimals: 6 });
    expect(priceAmount(fraction(tenTo(39) - 1n, tenTo(9)), 9)).toEqual({ value: '9'.repeat(39), decimals: 9 });
  });

  it('is off by at most half a unit of its last digit, which is the twelfth or later', () => {
    const digits = fc.bigInt({ min: tenTo(21), max: tenTo(50) }); // so that 10^-30 < x < 10^30
    fc.assert(
      fc.property(digits, digits, fc.constantFrom(6, 9), (numerator, denominator, n) => {
        const { value, decimals } = priceAmount({ numerator, denominator }, n);
        const off = 2n * (BigInt(value) * denominator - numerator * tenTo(decimals));
        expect(off <= denominator && off >= -denominator).toBe(true);
        expect(decimals >= n && decimals <= 36).toBe(true);
        // more decimals than the natural ones serve 12 digits: 13 only by a carry, fewer only at 36 decimals
        expect(decimals === n || value.length === 12 || value === `1${'0'.repeat(12)}` || decimals === 36).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('floor(log10 x)', () => {
  it('is exact next to the powers of ten', () => {
    for (const exponent of [0, 1, 2, 17, 29]) {
      const power = tenTo(exponent);
      expect(decimalExponent(fraction(power))).toBe(exponent);
      expect(decimalExponent(fraction(power * tenTo(40) - 1n, tenTo(40)))).toBe(exponent - 1);
      expect(decimalExponent(fraction(1n, power))).toBe(exponent === 0 ? 0 : -exponent);
      expect(decimalExponent(fraction(tenTo(40) - 1n, tenTo(40) * power))).toBe(-exponent - 1);
    }
  });

  it('satisfies 10^e ≤ x < 10^(e+1)', () => {
    const digits = fc.bigInt({ min: 1n, max: tenTo(60) });
    fc.assert(
      fc.property(digits, digits, (numerator, denominator) => {
        const e = decimalExponent({ numerator, denominator });
        const shifted = tenTo(100) * numerator; // 10^100 × x, so that every exponent is positive
        expect(shifted >= tenTo(100 + e) * denominator && shifted < tenTo(101 + e) * denominator).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
