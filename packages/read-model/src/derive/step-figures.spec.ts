import { describe, expect, it } from '@jest/globals';
import { figuresText } from '../../test/figures-text.js';
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

  it('refuses a text of another form', () => {
    expect(() => shortFigures('[[["hour","1"]],0,0,[]]')).toThrow(TypeError);
    expect(() => shortFigures('no figures')).toThrow(TypeError);
    expect(() => shortFigures(figuresText('short', {}).replace(',0,0,', ',x,0,'))).toThrow(TypeError);
    const text = figuresText('mid', { day: { buys: '3' } });
    expect(() => midFigures(text.replace('"3"', '3'))).toThrow(TypeError);
    expect(() => midFigures(text.replace('"3"', '"x"'))).toThrow(SyntaxError);
  });

  it('is nothing of a row without windows, and does not take a day of usd_by_day for a window', () => {
    expect(shortFigures('[[],60,120,[]]')).toEqual({
      price: undefined,
      priceChangedAt: undefined,
      priceUsd: undefined,
      priceUsdChangedAt: undefined,
      changeHour: undefined,
    });
    expect(longFigures('[[],0,0,[["week","current","2026-01-01","1","2"]]]')).toEqual({
      changeWeek: undefined,
      changeMonth: undefined,
    });
  });
});
