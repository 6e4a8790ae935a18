import { describe, expect, it } from '@jest/globals';
import { priceFigure, sameFigure, summedFigure, summedMetrics } from './metrics.js';

// buys, sells, traders, buyers, sellers, usd buy and sell, ton buy and sell
const current = ['3', '1', '2', '2', '1', '10.0000005', '5', '2.5', '0'];
const previous = ['0', '2', '2', '0', '2', '0', '10', '0', '1'];

describe('summedFigure', () => {
  it('adds the sides up and calculates the percentage from the numbers as emitted', () => {
    expect(summedFigure('transactions', current, previous)).toEqual({
      current: '4',
      previous: '2',
      changePercent: '100',
    });
    expect(summedFigure('transactionsBuy', current, previous)).toEqual({
      current: '3',
      previous: '0',
      changePercent: '0',
      changeStatus: 'noPrevious',
    });
    // a trader that bought and sold counts once in traders
    expect(summedFigure('traders', current, previous)).toMatchObject({
      current: '2',
      previous: '2',
      changePercent: '0',
    });
    expect(summedFigure('volume.usd', current, previous)).toEqual({
      current: { value: '15000001', decimals: 6 },
      previous: { value: '10000000', decimals: 6 },
      changePercent: '50',
      exact: { current: '15.0000005', previous: '10' },
    });
    expect(summedFigure('volume.ton', current, previous)).toMatchObject({
      current: { value: '2500000000', decimals: 9 },
      changePercent: '150',
    });
  });

  it.each(summedMetrics)('tells different sums of %s apart, also where they round alike', (metric) => {
    const zeros = current.map(() => '0');
    const tiny = current.map((_, index) => (index < 5 ? '1' : '0.000000000000000001'));
    expect(sameFigure(summedFigure(metric, tiny, zeros), summedFigure(metric, zeros, zeros))).toBe(false);
    expect(sameFigure(summedFigure(metric, tiny, zeros), summedFigure(metric, tiny, zeros))).toBe(true);
  });
});

describe('priceFigure', () => {
  it('knows no percentage without a previous price', () => {
    expect(priceFigure({ value: '5', decimals: 9 }, { value: '0', decimals: 9 })).toMatchObject({
      changePercent: '0',
      changeStatus: 'noPrevious',
    });
  });
});
