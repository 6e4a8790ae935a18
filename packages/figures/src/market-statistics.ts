import { noPriceAmount, priceDecimals, volumeDecimals } from './amounts.js';
import { addCountChange, addObject, addPriceChange, addVolumeChange } from './change-objects.js';
import { parseDecimal } from './decimal-text.js';
import type { MarketFigures } from './figures.js';
import { TemplateWriter, type StatisticsTemplate } from './template.js';
import { windowsA, windowsC } from './windows.js';

const noCount = { current: '0', previous: '0' };
const noVolume = { current: '0', previous: '0' };
const noPrice = {
  current: noPriceAmount(priceDecimals.counterpart),
  previous: noPriceAmount(priceDecimals.counterpart),
};

/**
 * The MarketStatistics object of one jetton in one pool as bytes with a hole for every calculatedAt: fields in the
 * order of docs/openapi.json, every window present, zeros where there was nothing.
 * Throws RangeError or SyntaxError for figures that are no decimal text.
 */
export function renderMarketStatistics(figures: MarketFigures): StatisticsTemplate {
  const writer = new TemplateWriter();
  writer.add('{"priceChange":{"counterpart":');
  addObject(writer, windowsA, (window) => {
    addPriceChange(writer, window, figures[window]?.priceCounterpart ?? noPrice);
  });
  writer.add('},"traders":');
  addObject(writer, windowsC, (window) => addCountChange(writer, window, figures[window]?.traders ?? noCount));
  writer.add(',"transactions":');
  addObject(writer, windowsC, (window) => addCountChange(writer, window, figures[window]?.transactions ?? noCount));
  writer.add(',"volume":{"usd":{"day":');
  const { current, previous } = figures.day?.volumeUsd ?? noVolume;
  const pair = { current: parseDecimal(current), previous: parseDecimal(previous) };
  addVolumeChange(writer, 'day', pair, volumeDecimals.fiat);
  writer.add('}}}');
  return writer.finish();
}
