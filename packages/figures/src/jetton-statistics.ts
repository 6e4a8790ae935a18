import { noPriceAmount, priceDecimals, volumeDecimals } from './amounts.js';
import { addCountChange, addObject, addPriceChange, addVolumeChange, type ScaledPair } from './change-objects.js';
import { parseDecimal } from './decimal-text.js';
import { addScaled } from './exact.js';
import type { CountPair, DecimalPair, JettonFigures, PricePair, WindowFigures } from './figures.js';
import { TemplateWriter, type StatisticsTemplate } from './template.js';
import { windowsA, windowsB, type WindowB } from './windows.js';

const noCount: CountPair = { current: '0', previous: '0' };
const noVolume: DecimalPair = { current: '0', previous: '0' };
const noPrice = (naturalDecimals: number): PricePair => ({
  current: noPriceAmount(naturalDecimals),
  previous: noPriceAmount(naturalDecimals),
});
const noPrices = { ton: noPrice(priceDecimals.ton), usd: noPrice(priceDecimals.fiat) };

const exactPair = ({ current, previous }: DecimalPair): ScaledPair => ({
  current: parseDecimal(current),
  previous: parseDecimal(previous),
});

const exactSum = (a: ScaledPair, b: ScaledPair): ScaledPair => ({
  current: addScaled(a.current, b.current),
  previous: addScaled(a.previous, b.previous),
});

const countSum = (a: CountPair, b: CountPair): CountPair => ({
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

function volumesOf(figures: WindowFigures | undefined): Record<'usd' | 'buyUsd' | 'sellUsd', ScaledPair> {
  const buyUsd = exactPair(figures?.volumeUsdBuy ?? noVolume);
  const sellUsd = exactPair(figures?.volumeUsdSell ?? noVolume);
  return { usd: exactSum(buyUsd, sellUsd), buyUsd, sellUsd };
}

/**
 * The JettonStatistics object of one jetton (raw address) as bytes with a hole for every calculatedAt: fields in the
 * order of interface.md, every window present, zeros where there was nothing.
 * Throws RangeError or SyntaxError for figures that are no decimal text.
 */
export function renderJettonStatistics(address: string, figures: JettonFigures): StatisticsTemplate {
  const writer = new TemplateWriter();
  writer.add(`{"address":${JSON.stringify(address)},"priceChange":`);
  addObject(writer, ['ton', 'usd'], (currency) => {
    addObject(writer, windowsA, (window) => {
      const prices = figures[window];
      const pair = currency === 'ton' ? prices?.priceTon : prices?.priceUsd;
      addPriceChange(writer, window, pair ?? noPrices[currency]);
    });
  });
  for (const [name, countOf] of counts) {
    writer.add(`,"${name}":`);
    addObject(writer, windowsB, (window) => {
      const own = figures[window];
      addCountChange(writer, window, own === undefined ? noCount : countOf(own));
    });
  }
  const volumes = new Map<WindowB, ReturnType<typeof volumesOf>>(
    windowsB.map((window) => [window, volumesOf(figures[window])]),
  );
  writer.add(',"volume":');
  addObject(writer, ['usd', 'buyUsd', 'sellUsd'], (kind) => {
    addObject(writer, windowsB, (window) => {
      const pair = volumes.get(window)?.[kind] ?? exactPair(noVolume);
      addVolumeChange(writer, window, pair, volumeDecimals.fiat);
    });
  });
  writer.add('}');
  return writer.finish();
}
