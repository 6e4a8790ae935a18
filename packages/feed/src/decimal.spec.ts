import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isNotFiniteText, magnitudeOf, parseDecimal, scaledText } from './decimal.js';

describe('decimal text', () => {
  it('has the grammar of a JSON number', () => {
    for (const text of [
      '',
      '+1',
      ' 1',
      '1 ',
      '01',
      '-01',
      '.5',
      '5.',
      '1e',
      'e1',
      '1e1.5',
      '0x1',
      '1_000',
      '1,5',
      '--1',
      '١',
      '1\n',
    ]) {
      expect([text, parseDecimal(text)]).toEqual([text, undefined]);
    }
    for (const text of ['0', '-0', '0.0', '0E-9', '10', '1.50', '1E+3', '1e3', '1E-7', '-1.5e-07']) {
      expect([text, parseDecimal(text)]).toEqual([text, expect.anything()]);
    }
  });

  it('is read without zeros at either end', () => {
    expect(parseDecimal('-12.3400')).toEqual({ negative: true, digits: '1234', exponent: -2 });
    expect(parseDecimal('1200')).toEqual({ negative: false, digits: '12', exponent: 2 });
    expect(parseDecimal('0.0012E-3')).toEqual({ negative: false, digits: '12', exponent: -7 });
    expect(parseDecimal('-0E+99')).toEqual({ negative: false, digits: '', exponent: 0 });
  });

  it('costs a pass over the text, however large its value', () => {
    const megabyte = 1_000_000;
    const texts = [
      '1E+999999999',
      `1E+${'9'.repeat(megabyte)}`,
      '9'.repeat(megabyte),
      `0.${'0'.repeat(megabyte)}1`,
      `1${'0'.repeat(megabyte)}1`,
    ];
    const startedMs = performance.now();
    const magnitudes = texts.map((text) =>
      magnitudeOf(parseDecimal(text) ?? { negative: false, digits: '', exponent: 0 }),
    );
    expect(magnitudes).toEqual([1_000_000_000, Infinity, megabyte, -megabyte, megabyte + 2]);
    // A pass takes milliseconds; building such a number, or a quadratic scan of its zeros, takes minutes.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('of no finite number is recognised in the spellings there are', () => {
    for (const text of ['NaN', 'nan', '-nan', 'Infinity', '-Infinity', '+Infinity', 'inf', '-INF']) {
      expect([text, isNotFiniteText(text)]).toEqual([text, true]);
    }
    for (const text of ['', 'n', 'infinite', 'NaN ', 'sNaN0', 'in'])
      expect([text, isNotFiniteText(text)]).toEqual([text, false]);
  });
});

describe('scaled digits', () => {
  it.each([
    ['0', 9, '0'],
    ['1', 9, '0.000000001'],
    ['1500', 3, '1.5'],
    ['1000', 3, '1'],
    ['123456789', 6, '123.456789'],
    ['10', 0, '10'],
  ])('%s ÷ 10^%s = %s, plain and without trailing zeros', (digits, decimals, expected) => {
    expect(scaledText(digits, decimals)).toBe(expected);
  });

  it('are exact for every integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 130n }), fc.integer({ min: 0, max: 40 }), (value, decimals) => {
        const text = scaledText(String(value), decimals);
        expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
        const [whole = '', fraction = ''] = text.split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(value);
      }),
    );
  });
});
