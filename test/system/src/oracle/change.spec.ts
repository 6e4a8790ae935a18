import { describe, expect, it } from '@jest/globals';
import { countChange, percentText, priceAmount, priceChange, volumeUsdChange } from './change.js';

const at = 1_704_067_200;
const calculatedAt = '2024-01-01T00:00:00Z';
const count = (value: number | bigint) => ({ value: String(value), decimals: 0 });

const price = (numerator: bigint, denominator: bigint) => priceAmount({ numerator, denominator }, 6);

describe('the oracle’s changes and amounts', () => {
  it('rounds the percentage half away from zero to four decimals', () => {
    expect(percentText(count(8), count(9))).toBe('12.5');
    expect(percentText(count(3), count(2))).toBe('-33.3333');
    expect(percentText(count(3), count(5))).toBe('66.6667');
    expect(percentText(count(2_000_000), count(2_000_001))).toBe('0.0001'); // 0.00005
    expect(percentText(count(2_000_000), count(1_999_999))).toBe('-0.0001');
    expect(percentText(count(2_000_001), count(2_000_000))).toBe('0'); // -0.0000499…
    expect(percentText(count(5), count(0))).toBe('-100');
    expect(percentText(count(1), count(10n ** 30n))).toBe('99999999999.9999');
  });

  it('compares prices of different scales', () => {
    expect(percentText({ value: '15', decimals: 1 }, { value: '300', decimals: 2 })).toBe('100');
  });

  it('says noPrevious for counts only where there is something now, for prices always', () => {
    const zero = { changePercent: '0', calculatedAt };
    expect(countChange(0, 0, at)).toEqual({ ...zero, previous: '0', current: '0' });
    expect(countChange(0, 2, at)).toEqual({ ...zero, previous: '0', current: '2', changeStatus: 'noPrevious' });
    const none = { value: '0', decimals: 6 };
    const noPrice = { ...zero, previous: none, current: none };
    expect(priceChange(undefined, undefined, 6, at)).toEqual({ ...noPrice, changeStatus: 'noPrevious' });
    expect(volumeUsdChange(10n ** 11n, 4n * 10n ** 11n, at)).toEqual(noPrice); // 0.0000001 and 0.0000004 usd
    expect(volumeUsdChange(5n * 10n ** 11n, 0n, at)).toEqual({
      changePercent: '-100',
      previous: { value: '1', decimals: 6 },
      current: none,
      calculatedAt,
    });
  });

  it('gives a price 12 significant digits or its natural scale', () => {
    expect(price(2n, 3n)).toEqual({ value: '666666666667', decimals: 12 }); // e = -1
    expect(price(1n, 1n)).toEqual({ value: '100000000000', decimals: 11 });
    expect(price(99_999_999n, 100n)).toEqual({ value: '999999990000', decimals: 6 }); // e = 5
    expect(price(123_456_789n, 1n)).toEqual({ value: '123456789000000', decimals: 6 });
    expect(price(9_999_999_999_999n, 10n ** 13n)).toEqual({ value: '1000000000000', decimals: 12 }); // a carry keeps s
    expect(price(1n, 10n ** 30n)).toEqual({ value: '1000000', decimals: 36 });
    expect(price(1n, 2n * 10n ** 36n)).toEqual({ value: '1', decimals: 36 });
    expect(price(1n, 3n * 10n ** 36n)).toEqual({ value: '0', decimals: 6 });
    expect(price(10n ** 30n, 1n)).toEqual({ value: '0', decimals: 6 });
    expect(price(10n ** 30n - 1n, 1n)).toEqual({ value: `${10n ** 30n - 1n}000000`, decimals: 6 });
  });
});
