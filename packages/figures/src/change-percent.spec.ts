import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { changePercent, priceChangePercent } from './change-percent.js';
import type { Scaled } from './exact.js';

const whole = (value: bigint): Scaled => ({ value, decimals: 0 });
const percent = (current: bigint, previous: bigint): string => changePercent(whole(current), whole(previous)).text;

/** (current − previous) / previous × 100 by long division, digit by digit, rounded on the fifth decimal. */
function longDivision(current: bigint, previous: bigint): string {
  const negative = current < previous;
  const dividend = (negative ? previous - current : current - previous) * 100n;
  let text = (dividend / previous).toString();
  let remainder = dividend % previous;
  for (let digit = 0; digit < 4; digit += 1) {
    remainder *= 10n;
    text += (remainder / previous).toString();
    remainder %= previous;
  }
  let scaled = BigInt(text);
  if ((remainder * 10n) / previous >= 5n) scaled += 1n;
  if (scaled > 999_999_999_999_999n) scaled = 999_999_999_999_999n;
  const digits = scaled.toString().padStart(5, '0');
  let decimal = `${digits.slice(0, -4)}.${digits.slice(-4)}`;
  while (decimal.endsWith('0')) decimal = decimal.slice(0, -1);
  if (decimal.endsWith('.')) decimal = decimal.slice(0, -1);
  return negative && decimal !== '0' ? `-${decimal}` : decimal;
}

describe('changePercent', () => {
  it('is (current − previous) / previous × 100', () => {
    expect(percent(90n, 80n)).toBe('12.5'); // 10 / 80
    expect(percent(3n, 1n)).toBe('200');
    expect(percent(0n, 17n)).toBe('-100');
    expect(percent(17n, 17n)).toBe('0');
    expect(percent(99n, 100n)).toBe('-1');
  });

  it('is rounded to 4 decimals', () => {
    expect(percent(4n, 3n)).toBe('33.3333');
    expect(percent(5n, 3n)).toBe('66.6667');
    expect(percent(2n, 3n)).toBe('-33.3333');
    expect(percent(1n, 3n)).toBe('-66.6667');
  });

  it('is rounded half away from zero', () => {
    expect(percent(2_000_001n, 2_000_000n)).toBe('0.0001'); // 100 / 2,000,000 = 0.00005
    expect(percent(1_999_999n, 2_000_000n)).toBe('-0.0001');
    expect(percent(2_000_002n, 2_000_001n)).toBe('0'); // 0.00004999…
  });

  it('is never -0', () => {
    expect(percent(2_000_000n, 2_000_001n)).toBe('0'); // −0.00004999…
  });

  it('has no exponent and no trailing zeros', () => {
    expect(percent(1_000_001n, 1_000_000n)).toBe('0.0001');
    expect(percent(1_100_000_000n, 10n)).toBe('10999999900');
    expect(percent(1_001n, 1_000n)).toBe('0.1');
  });

  it('is clamped to ±99,999,999,999.9999', () => {
    expect(percent(1_000_000_000n, 1n)).toBe('99999999900'); // (10^9 − 1) × 100: still inside
    expect(percent(1_000_000_001n, 1n)).toBe('99999999999.9999'); // 10^9 × 100 = 100,000,000,000
    expect(percent(10n ** 60n, 1n)).toBe('99999999999.9999');
    expect(percent(-(10n ** 60n), 1n)).toBe('-99999999999.9999');
  });

  it('survives JSON.parse to the digit', () => {
    expect(JSON.parse(percent(1_000_000_001n, 1n))).toBe(99_999_999_999.999_9);
    expect(JSON.stringify(JSON.parse('99999999999.9999'))).toBe('99999999999.9999');
  });

  it('compares the numbers, not their scales', () => {
    // 1.25 against 1 and against 1.000
    expect(changePercent({ value: 125n, decimals: 2 }, { value: 1n, decimals: 0 }).text).toBe('25');
    expect(changePercent({ value: 125n, decimals: 2 }, { value: 1_000n, decimals: 3 }).text).toBe('25');
  });

  it('equals long division', () => {
    const count = fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 1n, max: 10n ** 40n }));
    fc.assert(
      fc.property(count, count, (current, previous) => {
        expect(percent(current, previous)).toBe(longDivision(current, previous));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not change when both numbers are written at a finer scale', () => {
    const count = fc.bigInt({ min: 0n, max: 10n ** 30n });
    const scale = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(count, count, scale, scale, (current, previous, a, b) => {
        const finer = changePercent(
          { value: current * 10n ** BigInt(a), decimals: a },
          { value: previous * 10n ** BigInt(b), decimals: b },
        );
        expect(finer).toEqual(changePercent(whole(current), whole(previous)));
      }),
    );
  });
});

describe('a count or volume', () => {
  it('with previous 0 and current 0 has not changed: 0 without changeStatus', () => {
    expect(changePercent(whole(0n), { value: 0n, decimals: 6 })).toEqual({ text: '0' });
  });

  it('with previous 0 and current not 0 has 0 and changeStatus noPrevious', () => {
    expect(changePercent(whole(5n), whole(0n))).toEqual({ text: '0', changeStatus: 'noPrevious' });
  });

  it('with a previous number has no changeStatus, even where the percentage is 0', () => {
    expect(changePercent(whole(5n), whole(5n))).toEqual({ text: '0' });
    expect(changePercent(whole(0n), whole(5n))).toEqual({ text: '-100' });
  });
});

describe('a price', () => {
  it('whose previous is not known or emitted as 0 has 0 and noPrevious, whatever the current one is', () => {
    for (const current of [0n, 1n, 10n ** 40n]) {
      expect(priceChangePercent(whole(current), { value: 0n, decimals: 9 })).toEqual({
        text: '0',
        changeStatus: 'noPrevious',
      });
    }
  });

  it('is compared across different decimals', () => {
    // 1.5 with 11 decimals against 0.75 with 12
    const current = { value: 150_000_000_000n, decimals: 11 };
    expect(priceChangePercent(current, { value: 750_000_000_000n, decimals: 12 })).toEqual({ text: '100' });
  });

  it('that was lost has fallen by 100 percent', () => {
    expect(priceChangePercent({ value: 0n, decimals: 9 }, { value: 1n, decimals: 36 })).toEqual({ text: '-100' });
  });
});
