import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { formatInstant, instantLength, parseInstant } from './instants.js';

const dayAfter = (text: string): string => formatInstant(Date.parse(text) / 1_000 + 86_400).slice(0, 10);

describe('an instant', () => {
  it('is written YYYY-MM-DDTHH:MM:SSZ', () => {
    expect(formatInstant(0)).toBe('1970-01-01T00:00:00Z');
    expect(formatInstant(951_782_400)).toBe('2000-02-29T00:00:00Z'); // 11,016 days: 30 years, 7 leap days, 31 + 28 days
    expect(formatInstant(1_641_340_799)).toBe('2022-01-04T23:59:59Z');
    expect(formatInstant(1_641_340_800)).toBe('2022-01-05T00:00:00Z');
    expect(formatInstant(-1)).toBe('1969-12-31T23:59:59Z');
  });

  it('knows the leap days of centuries', () => {
    expect(dayAfter('1900-02-28')).toBe('1900-03-01');
    expect(dayAfter('2000-02-28')).toBe('2000-02-29');
    expect(dayAfter('2000-02-29')).toBe('2000-03-01');
    expect(dayAfter('2100-02-28')).toBe('2100-03-01');
    expect(dayAfter('2399-12-31')).toBe('2400-01-01');
    expect(dayAfter('2400-02-28')).toBe('2400-02-29');
  });

  it('always has 20 characters and says what Date says, from year 0 to 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }), (seconds) => {
        const text = formatInstant(seconds);
        expect(text).toHaveLength(instantLength);
        expect(text).toBe(`${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`);
        expect(parseInstant(text)).toBe(seconds);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that does not fit its 20 characters or is not whole is refused', () => {
    for (const seconds of [253_402_300_800, -62_167_219_201, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => formatInstant(seconds)).toThrow(RangeError);
    }
  });

  it('that does not exist or is written otherwise is not read', () => {
    const texts = [
      '2023-02-29T00:00:00Z',
      '2023-04-31T00:00:00Z',
      '2023-01-01T24:00:00Z',
      '2023-01-01T23:59:60Z',
      '2023-13-01T00:00:00Z',
      '2023-01-01 00:00:00Z',
      '2023-01-01T00:00:00',
      '2023-01-01T00:00:00.000Z',
      '2023-01-01T00:00:00+00:00',
      '1672531200',
      '',
    ];
    expect(texts.map(parseInstant)).toEqual(texts.map(() => undefined));
  });
});
