import {
  type AmountText,
  type DayVolume,
  decimalText,
  type JettonFigures,
  type MarketFigures,
  steps,
  type UsdByDay,
  type WindowA,
  windowsA,
  type WindowB,
  windowsB,
} from '@jetton-analytics/figures';
import { jettonWindow, marketWindow, type WindowForm, windowSize } from './pack-figures.js';
import { PackedReader } from './packed-text.js';
import type { ItemFigures } from './snapshots.js';

/** Fractional digits of the decimals of a row. */
export const figureDecimals = 18;
const msPerDay = 86_400_000;
const halves = [undefined, 'current', 'previous'] as const;

const pair = <T>(current: T, previous: T) => ({ current, previous });
const countPair = (row: PackedReader) => pair(row.integer().toString(), row.integer().toString());
const decimalPair = (row: PackedReader) =>
  pair(decimalText(row.integer(), figureDecimals), decimalText(row.integer(), figureDecimals));
const pricePair = (row: PackedReader) => pair(readPrice(row), readPrice(row));

/** Throws RangeError for a price that is no number. */
export function readPrice(row: PackedReader): AmountText {
  const value = row.text();
  if (!/^\d+$/.test(value)) throw new RangeError(`figures: no price: ${JSON.stringify(value)}`);
  return { value, decimals: row.byte() };
}

/** The name of a window. Throws RangeError for a text that is none. */
export function readName(row: PackedReader): WindowA {
  const code = row.byte();
  const name = windowsA[code];
  if (name === undefined) throw new RangeError(`figures: no window ${code}`);
  return name;
}

function windowsOf<T>(row: PackedReader, read: () => T): [WindowA, T][] {
  return Array.from({ length: row.count() }, () => [readName(row), read()]);
}

/** Steps over the columns of a window that follow its name. */
export function skipWindow(row: PackedReader, form: WindowForm): void {
  const { integers, prices } = windowSize(form);
  row.skipIntegers(integers);
  for (let index = 0; index < prices; index += 1) {
    row.skipText();
    row.byte();
  }
}

const readersOf = (figures: ItemFigures): PackedReader[] =>
  steps.flatMap((step) => {
    const text = figures[step];
    return text === undefined ? [] : [new PackedReader(text)];
  });

/** Figures of a jetton from the texts of its rows. Throws RangeError for a text that is none. */
export function jettonFigures(figures: ItemFigures): JettonFigures {
  const windows = readersOf(figures).flatMap((row) =>
    windowsOf(row, () => ({
      transactionsBuy: countPair(row),
      transactionsSell: countPair(row),
      traders: countPair(row),
      tradersBuy: countPair(row),
      tradersSell: countPair(row),
      volumeUsdBuy: decimalPair(row),
      volumeUsdSell: decimalPair(row),
      volumeTonBuy: decimalPair(row),
      volumeTonSell: decimalPair(row),
      priceTon: pricePair(row),
      priceUsd: pricePair(row),
    })),
  );
  return Object.fromEntries(windows);
}

/**
 * volume_usd of a jetton's windows by UTC day, for conversion to a fiat; a window without volume is left out. Throws
 * RangeError for a text that is none.
 */
export function usdByDay(figures: ItemFigures): UsdByDay {
  const byWindow: Partial<Record<WindowB, { current: DayVolume[]; previous: DayVolume[] }>> = {};
  for (const row of readersOf(figures)) {
    windowsOf(row, () => skipWindow(row, jettonWindow));
    row.skipIntegers(2);
    for (let days = row.count(); days > 0; days -= 1) {
      const window = readName(row);
      const name = windowsB.find((one) => one === window);
      const half = halves[row.byte()];
      const day = new Date(Number(row.integer()) * msPerDay).toISOString().slice(0, 10);
      if (name === undefined || half === undefined) throw new RangeError('figures: no window of a day');
      const own = (byWindow[name] ??= { current: [], previous: [] });
      const buy = decimalText(row.integer(), figureDecimals);
      own[half].push({ day, buy, sell: decimalText(row.integer(), figureDecimals) });
    }
  }
  return byWindow;
}

/** Figures of a market from the texts of its rows. Throws RangeError for a text that is none. */
export function marketFigures(figures: ItemFigures): MarketFigures {
  const windows = readersOf(figures).flatMap((row) =>
    windowsOf(row, () => ({
      transactions: countPair(row),
      traders: countPair(row),
      volumeUsd: decimalPair(row),
      priceCounterpart: pricePair(row),
    })),
  );
  return Object.fromEntries(windows);
}

/** The asset that a market's prices are in, from the texts of its rows; undefined: none yet. Throws as the others do. */
export function marketCounterpart({ short }: ItemFigures): string | undefined {
  if (short === undefined) return undefined;
  const row = new PackedReader(short);
  windowsOf(row, () => skipWindow(row, marketWindow));
  const named = row.text();
  return named === '' ? undefined : named;
}
