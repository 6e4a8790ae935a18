import { volumeDecimals } from './amounts.js';
import { addCountChange, addObject, addVolumeChange, type ScaledPair } from './change-objects.js';
import type { CountPair, JettonFigures, WindowFigures } from './figures.js';
import { addPriceChanges, countSum, noCount } from './jetton-statistics.js';
import { type StatisticsTemplate, TemplateWriter } from './template.js';
import type { VolumeSums } from './volume-sums.js';
import { windowsB } from './windows.js';

const groups = ['total', 'buy', 'sell'] as const;
type Group = (typeof groups)[number];

const noVolume: ScaledPair = { current: { value: 0n, decimals: 0 }, previous: { value: 0n, decimals: 0 } };

function renderCounts(
  address: string,
  figures: JettonFigures,
  countOf: Record<Group, (figures: WindowFigures) => CountPair>,
): StatisticsTemplate {
  const writer = new TemplateWriter();
  writer.add(`{"address":${JSON.stringify(address)},"changes":`);
  addObject(writer, groups, (group) => {
    addObject(writer, windowsB, (window) => {
      const own = figures[window];
      addCountChange(writer, window, own === undefined ? noCount : countOf[group](own));
    });
  });
  writer.add('}');
  return writer.finish();
}

/**
 * The TransactionCountChanges object of one jetton (raw address): total, buy and sell are the CountChange objects of
 * transactions, transactionsBuy and transactionsSell. Bytes with a hole for every calculatedAt, every window present.
 * Throws SyntaxError for figures that are no counts. Source: docs/statistics.md, "Change lists".
 */
export const renderTransactionChanges = (address: string, figures: JettonFigures): StatisticsTemplate =>
  renderCounts(address, figures, {
    total: ({ transactionsBuy, transactionsSell }) => countSum(transactionsBuy, transactionsSell),
    buy: ({ transactionsBuy }) => transactionsBuy,
    sell: ({ transactionsSell }) => transactionsSell,
  });

/**
 * The TradersChanges object of one jetton (raw address): total, buy and sell are the CountChange objects of traders,
 * tradersBuy and tradersSell; who bought and sold counts once in total. As {@link renderTransactionChanges} otherwise.
 */
export const renderTradersChanges = (address: string, figures: JettonFigures): StatisticsTemplate =>
  renderCounts(address, figures, {
    total: ({ traders }) => traders,
    buy: ({ tradersBuy }) => tradersBuy,
    sell: ({ tradersSell }) => tradersSell,
  });

/**
 * The PriceChanges object of one jetton (raw address): `priceChange` is that of its JettonStatistics. Throws SyntaxError
 * for figures that are no prices. Source: docs/statistics.md, "Price of a jetton".
 */
export function renderPriceChanges(address: string, figures: JettonFigures): StatisticsTemplate {
  const writer = new TemplateWriter();
  writer.add(`{"address":${JSON.stringify(address)},"priceChange":`);
  addPriceChanges(writer, figures);
  writer.add('}');
  return writer.finish();
}

/**
 * The VolumeChanges object of one jetton (raw address) from the exact sums in the wanted currency: each window's sum is
 * rounded once, to 9 decimals in ton and to 6 in a fiat, and `total` is rounded by itself. Bytes with a hole for every
 * calculatedAt, every window present. Source: docs/statistics.md, "Change lists" and "Amounts".
 */
export function renderVolumeChanges(
  address: string,
  sums: VolumeSums,
  decimalsOf: keyof typeof volumeDecimals,
): StatisticsTemplate {
  const writer = new TemplateWriter();
  writer.add(`{"address":${JSON.stringify(address)},"changes":`);
  addObject(writer, groups, (group) => {
    addObject(writer, windowsB, (window) => {
      addVolumeChange(writer, window, sums[window]?.[group] ?? noVolume, volumeDecimals[decimalsOf]);
    });
  });
  writer.add('}');
  return writer.finish();
}
