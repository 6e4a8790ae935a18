import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { exponentText, scaledText, volumeText } from './decimal-text.js';

const jsonNumber = /^(?:0|[1-9]\d*)(?:\.\d+)?(?:E[+-]\d+)?$/;

describe('scaledText', () => {
  it('writes the exact value, plain and without trailing zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 20 }), (raw, decimals) => {
        const text = scaledText(raw, decimals);
        expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
        const [whole = '', fraction = ''] = text.split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(raw);
      }),
    );
  });
});

describe('volumeText', () => {
  it('writes nothing and very little in exponent form, as decimal types do', () => {
    expect(volumeText(0)).toBe('0E-9');
    expect(volumeText(1.5e-7)).toBe('1.50000000E-7');
    expect(exponentText(1234.5)).toBe('1.23450000E+3');
  });

  it('is a decimal that both a string and a JSON number may be, close to the value', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e17, noNaN: true }), (value) => {
        const text = volumeText(value);
        expect(text).toMatch(jsonNumber);
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(Math.max(1e-9, value * 1e-8));
      }),
    );
  });
});
