import {
  type AmountText,
  isPrice,
  priceChangeScaled,
  rescaled,
  volumeDecimals,
  type WindowA,
} from '@jetton-analytics/figures';
import { figureDecimals, readName, readPrice, skipWindow } from '../snapshots/figures-text.js';
import { jettonWindow } from '../snapshots/pack-figures.js';
import { PackedReader } from '../snapshots/packed-text.js';

/** What records and lists take from the short step. Instants are Unix seconds, changes percent × 10^4. */
export interface ShortFigures {
  readonly price: AmountText | undefined;
  readonly priceChangedAt: number | undefined;
  readonly priceUsd: AmountText | undefined;
  readonly priceUsdChangedAt: number | undefined;
  readonly changeHour: bigint | undefined;
}

/** What they take from the mid step. volume24h is in usd × 10^6, as emitted. */
export interface MidFigures {
  readonly volume24h: bigint;
  readonly traders24h: bigint;
  readonly transactions24h: bigint;
  readonly changeHour6: bigint | undefined;
  readonly changeDay: bigint | undefined;
}

export interface LongFigures {
  readonly changeWeek: bigint | undefined;
  readonly changeMonth: bigint | undefined;
}

/** Of a jetton that a step has no row of: nothing in its windows. */
export const noShort: ShortFigures = {
  price: undefined,
  priceChangedAt: undefined,
  priceUsd: undefined,
  priceUsdChangedAt: undefined,
  changeHour: undefined,
};
export const noMid: MidFigures = {
  volume24h: 0n,
  traders24h: 0n,
  transactions24h: 0n,
  changeHour6: undefined,
  changeDay: undefined,
};
export const noLong: LongFigures = { changeWeek: undefined, changeMonth: undefined };

/** The texts hold much more, which is stepped over: at the start hundreds of thousands of them are read. */
interface WindowFigures {
  readonly transactionsBuy: bigint;
  readonly transactionsSell: bigint;
  readonly traders: bigint;
  readonly volumeUsdBuy: bigint;
  readonly volumeUsdSell: bigint;
  readonly priceTon: AmountText | undefined;
  readonly priceTonPrevious: AmountText | undefined;
  readonly priceUsd: AmountText | undefined;
}

const priceOf = (row: PackedReader): AmountText | undefined => {
  const amount = readPrice(row);
  return isPrice(amount) ? amount : undefined;
};

// In the order of the column `windows` (migration 0003); every count and sum is followed by that of the half before.
function readWindow(row: PackedReader, wantsSums: boolean): WindowFigures {
  const next = (isWanted: boolean) => {
    const value = isWanted ? row.integer() : 0n;
    row.skipIntegers(isWanted ? 1 : 2);
    return value;
  };
  const transactionsBuy = next(wantsSums);
  const transactionsSell = next(wantsSums);
  const traders = next(wantsSums);
  row.skipIntegers(4);
  const volumeUsdBuy = next(wantsSums);
  const volumeUsdSell = next(wantsSums);
  row.skipIntegers(4);
  const [priceTon, priceTonPrevious, priceUsd] = [priceOf(row), priceOf(row), priceOf(row)];
  row.skipText();
  row.byte();
  return {
    transactionsBuy,
    transactionsSell,
    traders,
    volumeUsdBuy,
    volumeUsdSell,
    priceTon,
    priceTonPrevious,
    priceUsd,
  };
}

/** Reads the windows named; of the others nothing. */
function readWindows(row: PackedReader, wanted: readonly WindowA[], sumsOf?: WindowA) {
  const found: Partial<Record<WindowA, WindowFigures>> = {};
  for (let windows = row.count(); windows > 0; windows -= 1) {
    const name = readName(row);
    if (wanted.includes(name)) found[name] = readWindow(row, name === sumsOf);
    else skipWindow(row, jettonWindow);
  }
  return found;
}

/** changePercent of priceChange.ton × 10^4; noPrevious is missing. Source: docs/statistics.md, "changePercent". */
function tonChange(window: WindowFigures | undefined): bigint | undefined {
  if (window?.priceTonPrevious === undefined) return undefined;
  const { priceTon: current, priceTonPrevious: previous } = window;
  return priceChangeScaled(
    { value: BigInt(current?.value ?? '0'), decimals: current?.decimals ?? 0 },
    { value: BigInt(previous.value), decimals: previous.decimals },
  );
}

const known = (instant: bigint): number | undefined => (instant === 0n ? undefined : Number(instant));

/** Throws RangeError for a text that is none. */
export function shortFigures(text: string): ShortFigures {
  const row = new PackedReader(text);
  const { hour } = readWindows(row, ['hour']);
  const [ton, usd] = [row.integer(), row.integer()];
  return {
    price: hour?.priceTon,
    priceChangedAt: hour?.priceTon && known(ton),
    priceUsd: hour?.priceUsd,
    priceUsdChangedAt: hour?.priceUsd && known(usd),
    changeHour: tonChange(hour),
  };
}

/** Throws RangeError for a text that is none. */
export function midFigures(text: string): MidFigures {
  const { hour6, day } = readWindows(new PackedReader(text), ['hour6', 'day'], 'day');
  const changes = { changeHour6: tonChange(hour6), changeDay: tonChange(day) };
  if (day === undefined) return { ...noMid, ...changes };
  const volume = { value: day.volumeUsdBuy + day.volumeUsdSell, decimals: figureDecimals };
  return {
    volume24h: rescaled(volume, volumeDecimals.fiat),
    traders24h: day.traders,
    transactions24h: day.transactionsBuy + day.transactionsSell,
    ...changes,
  };
}

/** Throws RangeError for a text that is none. */
export function longFigures(text: string): LongFigures {
  const { week, month } = readWindows(new PackedReader(text), ['week', 'month']);
  return { changeWeek: tonChange(week), changeMonth: tonChange(month) };
}
