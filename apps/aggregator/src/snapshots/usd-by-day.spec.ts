import { describe, expect, it } from '@jest/globals';
import { usdByDay } from './usd-by-day.js';
import { type HalfSums, summedColumns } from './window-sums.query.js';

const half = (number: number, days: HalfSums['usd_days']): HalfSums => ({
  jetton: '0:a',
  pool: '',
  half: number,
  sums: summedColumns.map(() => '0'),
  usd_days: days,
});

describe('volumes by UTC day', () => {
  it('add up the parts that the edges of other windows cut a day into, exactly, days ascending', () => {
    // The third window of the step is day: its current half is 4.
    const parts: HalfSums['usd_days'] = [
      ['2026-03-11', '1', '0'],
      ['2026-03-10', '99999999999999999999.000000000000000001', '0'],
      ['2026-03-10', '1.5', '2'],
    ];
    expect(usdByDay('mid', [half(4, parts), half(5, [['2026-03-09', '0', '7']])])).toEqual([
      ['day', 'current', '2026-03-10', '100000000000000000000.500000000000000001', '2'],
      ['day', 'current', '2026-03-11', '1', '0'],
      ['day', 'previous', '2026-03-09', '0', '7'],
    ]);
  });

  it('stand there for windows of counts only', () => {
    const all = [0, 1, 2, 3, 4, 5].map((number) => half(number, [['2026-03-10', '1', '1']]));
    const windowsIn = (step: 'short' | 'mid' | 'long') => [...new Set(usdByDay(step, all).map(([window]) => window))];
    expect(windowsIn('short')).toEqual(['hour']);
    expect(windowsIn('mid')).toEqual(['hour6', 'day']);
    expect(windowsIn('long')).toEqual(['week', 'month']);
  });
});
