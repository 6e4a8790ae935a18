import { describe, expect, it } from '@jest/globals';
import { figuresText, figuresTextOf } from '../../test/figures-text.js';
import { longFigures, midFigures, shortFigures } from './step-figures.js';

describe('what records take from the steps', () => {
  it('is the prices of the hour window with the minutes they rest on', () => {
    const text = figuresText('short', { hour: { priceTon: ['1500', '1000'], priceUsd: ['4', '0'] } }, [60, 120]);
    expect(shortFigures(text)).toEqual({
      price: { value: '1500', decimals: 9 },
      priceChangedAt: 60,
      priceUsd: { value: '4', decimals: 6 },
      priceUsdChangedAt: 120,
      changeHour: 500_000n,
    });
  });

  it('has neither price nor instant where the price is written as 0', () => {
    const text = figuresText('short', { min15: { priceTon: ['7', '7'] }, hour: {} }, [60, 0]);
    expect(shortFigures(text)).toEqual({
      price: undefined,
      priceChangedAt: undefined,
      priceUsd: undefined,
      priceUsdChangedAt: undefined,
      changeHour: undefined,
    });
  });

  it('counts a change without a previous price as missing, and one to no price as −100 %', () => {
    expect(shortFigures(figuresText('short', { priceTon: ['5', '0'] })).changeHour).toBeUndefined();
    expect(shortFigures(figuresText('short', { priceTon: ['0', '5'] })).changeHour).toBe(-1_000_000n);
    expect(shortFigures(figuresText('short', { priceTon: ['5', '5'] })).changeHour).toBe(0n);
  });

  it('is counts and volume of the day as emitted: buy and sell added up before they are rounded', () => {
    const day = { buys: '3', sells: '4', traders: '6', volumeUsdBuy: '10.0000004', volumeUsdSell: '0.0000002' };
    const text = figuresText('mid', { day: { ...day, priceTon: ['2', '3'] }, hour6: { priceTon: ['3', '2'] } });
    expect(midFigures(text)).toEqual({
      volume24h: 10_000_001n,
      traders24h: 6n,
      transactions24h: 7n,
      changeHour6: 500_000n,
      changeDay: -333_333n,
    });
  });

  it('is the changes of week and month', () => {
    const text = figuresText('long', { week: { priceTon: ['3', '2'] }, month: { priceTon: ['1', '0'] } });
    expect(longFigures(text)).toEqual({ changeWeek: 500_000n, changeMonth: undefined });
  });

  it('refuses a text that is cut off or names no window', () => {
    const text = figuresText('short', { priceTon: ['5', '4'] });
    for (const length of [0, 1, 2, 30]) {
      expect(() => longFigures(text.slice(0, length))).toThrow(RangeError);
    }
    expect(() => shortFigures(`${text.slice(0, 1)}\u0009${text.slice(2)}`)).toThrow(RangeError);
    expect(() => shortFigures(figuresText('short', { hour: { priceTon: ['x', '1'] } }))).toThrow(RangeError);
  });

  it('is nothing of a row without windows, and does not take a day of usd_by_day for a window', () => {
    expect(shortFigures(figuresTextOf({}, [60, 120]))).toEqual({
      price: undefined,
      priceChangedAt: undefined,
      priceUsd: undefined,
      priceUsdChangedAt: undefined,
      changeHour: undefined,
    });
    expect(
      longFigures(figuresTextOf({}, [0, 0], [{ window: 'week', half: 'current', day: 20_000, buy: '1', sell: '2' }])),
    ).toEqual({
      changeWeek: undefined,
      changeMonth: undefined,
    });
  });
});
