import {
  type AmountText,
  isPrice,
  parseDecimal,
  priceChangePercent,
  addScaled,
  rescaled,
  scaledFromDecimal,
  volumeDecimals,
} from '@jetton-analytics/figures';

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

const percentDecimals = 4;

type PriceTuple = readonly [value: string, decimals: number];
// Columns of a window: see figures-text.ts. Read without a schema: a row is read a hundred thousand times at the start.
type WindowTuple = readonly [window: string, ...figures: (string | PriceTuple)[]];
const column = {
  transactionsBuy: 1,
  transactionsSell: 3,
  traders: 5,
  volumeUsdBuy: 11,
  volumeUsdSell: 13,
  priceTon: 19,
  priceTonPrevious: 20,
  priceUsd: 21,
} as const;

interface StepText {
  readonly windows: readonly WindowTuple[];
  readonly priceChangedAtTon: number;
  readonly priceChangedAtUsd: number;
}

function readText(text: string): StepText {
  const [windows, ton, usd] = JSON.parse(text) as [WindowTuple[], number, number];
  return { windows, priceChangedAtTon: ton, priceChangedAtUsd: usd };
}

const windowOf = (windows: readonly WindowTuple[], name: string): WindowTuple | undefined =>
  windows.find((window) => window[0] === name);

function textAt(window: WindowTuple, index: number): string {
  const value = window[index];
  if (typeof value !== 'string') throw new TypeError(`figures: column ${index} is no text`);
  return value;
}

function priceAt(window: WindowTuple | undefined, index: number): AmountText | undefined {
  if (window === undefined) return undefined;
  const tuple = window[index];
  if (!Array.isArray(tuple)) throw new TypeError(`figures: column ${index} is no price`);
  const [value, decimals] = tuple as PriceTuple;
  const amount = { value, decimals };
  return isPrice(amount) ? amount : undefined;
}

/** changePercent of priceChange.ton × 10^4; noPrevious is missing. Source: statistics.md, "changePercent". */
function tonChange(window: WindowTuple | undefined): bigint | undefined {
  const previous = priceAt(window, column.priceTonPrevious);
  if (previous === undefined) return undefined;
  const current = priceAt(window, column.priceTon);
  const change = priceChangePercent(
    { value: BigInt(current?.value ?? '0'), decimals: current?.decimals ?? 0 },
    { value: BigInt(previous.value), decimals: previous.decimals },
  );
  return scaledFromDecimal(change.text, percentDecimals);
}

const known = (instant: number): number | undefined => (instant === 0 ? undefined : instant);

/** Throws SyntaxError, RangeError or TypeError for a text that is none. */
export function shortFigures(text: string): ShortFigures {
  const { windows, priceChangedAtTon, priceChangedAtUsd } = readText(text);
  const hour = windowOf(windows, 'hour');
  const price = priceAt(hour, column.priceTon);
  const priceUsd = priceAt(hour, column.priceUsd);
  return {
    price,
    priceChangedAt: price && known(priceChangedAtTon),
    priceUsd,
    priceUsdChangedAt: priceUsd && known(priceChangedAtUsd),
    changeHour: tonChange(hour),
  };
}

/** Throws SyntaxError, RangeError or TypeError for a text that is none. */
export function midFigures(text: string): MidFigures {
  const { windows } = readText(text);
  const day = windowOf(windows, 'day');
  const changes = { changeHour6: tonChange(windowOf(windows, 'hour6')), changeDay: tonChange(day) };
  if (day === undefined) return { ...noMid, ...changes };
  const buy = parseDecimal(textAt(day, column.volumeUsdBuy));
  const sell = parseDecimal(textAt(day, column.volumeUsdSell));
  return {
    volume24h: rescaled(addScaled(buy, sell), volumeDecimals.fiat),
    traders24h: BigInt(textAt(day, column.traders)),
    transactions24h: BigInt(textAt(day, column.transactionsBuy)) + BigInt(textAt(day, column.transactionsSell)),
    ...changes,
  };
}

/** Throws SyntaxError, RangeError or TypeError for a text that is none. */
export function longFigures(text: string): LongFigures {
  const { windows } = readText(text);
  return { changeWeek: tonChange(windowOf(windows, 'week')), changeMonth: tonChange(windowOf(windows, 'month')) };
}
