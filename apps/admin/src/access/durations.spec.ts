import { describe, expect, it } from '@jest/globals';
import { readDuration, readEnd } from './durations.js';

describe('readDuration', () => {
  it.each([
    ['0s', 0],
    ['90s', 90],
    ['15m', 900],
    ['24h', 86_400],
    ['3650d', 315_360_000],
  ])('reads %s', (text, seconds) => {
    expect(readDuration('--grace', text)).toBe(seconds);
  });

  it.each(['', '5', 'd', '1w', '-1d', '1.5h', '3651d', '9999999999s'])('refuses %j and names the option', (text) => {
    expect(() => readDuration('--grace', text)).toThrow(/^--grace: expected a length/);
  });
});

describe('readEnd', () => {
  it('reads an instant, or a length from now', () => {
    const nowMs = Date.UTC(2026, 0, 1);
    expect(readEnd('--expires', '2027-01-31T00:00:00Z', nowMs)).toEqual(new Date('2027-01-31T00:00:00Z'));
    expect(readEnd('--expires', '90d', nowMs)).toEqual(new Date('2026-04-01T00:00:00Z'));
  });

  it.each(['tomorrow', '2027-02-30T00:00:00Z', '2027-01-31'])('refuses %j', (text) => {
    expect(() => readEnd('--expires', text, 0)).toThrow('expected an instant like');
  });
});
