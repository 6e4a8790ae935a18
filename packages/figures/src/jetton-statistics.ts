import { noPriceAmount, priceDecimals, volumeDecimals } from './amounts.js';
import { addCountChange, addObject, addPriceChange, addVolumeChange } from './change-objects.js';
import type { CountPair, JettonFigures, PricePair, WindowFigures } from './figures.js';
import { TemplateWriter, type StatisticsTemplate } from './template.js';
import { volumeSums } from './volume-sums.js';
import { windowsA, windowsB } from './windows.js';

/** A window without legs. */
export const noCount: CountPair = { current: '0', previous: '0' };
const noVolume = { current: { value: 0n, decimals: 0 }, previous: { value: 0n, decimals: 0 } };
const volumeGroups = { usd: 'total', buyUsd: 'buy', sellUsd: 'sell' } as const;
const noPrice = (naturalDecimals: number): PricePair => ({
  current: noPriceAmount(naturalDecimals),
  previous: noPriceAmount(naturalDecimals),
});
const noPrices = { ton: noPrice(priceDecimals.ton), usd: noPrice(priceDecimals.fiat) };

/** buy + sell. */
export const countSum = (a: CountPair, b: CountPair): CountPair => ({
  current: String(BigInt(a.current) + BigInt(b.current)),
  previous: String(BigInt(a.previous) + BigInt(b.previous)),
});

const counts: readonly (readonly [string, (figures: WindowFigures) => CountPair])[] = [
  ['traders', ({ traders }) => traders],
  ['tradersBuy', ({ tradersBuy }) => tradersBuy],
  ['tradersSell', ({ tradersSell }) => tradersSell],
  ['transactions', ({ transactionsBuy, transactionsSell }) => countSum(transactionsBuy, transactionsSell)],
  ['transactionsBuy', ({ transactionsBuy }) => transactionsBuy],
  ['transactionsSell', ({ transactionsSell }) => transactionsSell],
];

/** Writes the object `priceChange`: in ton and usd, every window present. */
export function addPriceChanges(writer: TemplateWriter, figures: JettonFigures): void {
  addObject(writer, ['ton', 'usd'], (currency) => {
    addObject(writer, windowsA, (window) => {
      const prices = figures[window];
      const pair = currency === 'ton' ? prices?.priceTon : prices?.priceUsd;
      addPriceChange(writer, window, pair ?? noPrices[currency]);
    });
  });
}

/**
 * The JettonStatistics object of one jetton (raw address) as bytes with a hole for every calculatedAt: fields in the
 * order of docs/openapi.json, every window present, zeros where there was nothing.
 * Throws RangeError or SyntaxError for figures that are no decimal text.
 */
export function renderJettonStatistics(address: string, figures: JettonFigures): StatisticsTemplate {
  const writer = new TemplateWriter();
  writer.add(`{"address":${JSON.stringify(address)},"priceChange":`);
  addPriceChanges(writer, figures);
  for (const [name, countOf] of counts) {
    writer.add(`,"${name}":`);
    addObject(writer, windowsB, (window) => {
      const own = figures[window];
      addCountChange(writer, window, own === undefined ? noCount : countOf(own));
    });
  }
  const volumes = volumeSums(figures, 'usd');
  writer.add(',"volume":');
  addObject(writer, ['usd', 'buyUsd', 'sellUsd'], (kind) => {
    addObject(writer, windowsB, (window) => {
      const pair = volumes[window]?.[volumeGroups[kind]] ?? noVolume;
      addVolumeChange(writer, window, pair, volumeDecimals.fiat);
    });
  });
  writer.add('}');
  return writer.finish();
}
