import {
  type AmountText,
  isPrice,
  parseDecimal,
  priceChangePercent,
  addScaled,
  rescaled,
  scaledFromDecimal,
  volumeDecimals,
  type WindowA,
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

// A window of a text from figures-text.ts, cut at its commas: the name, ten counts, eight decimals, four prices of two
// parts. Cut and not parsed as JSON: at the start a hundred thousand texts are read, of which little is needed.
const columns = 27;
const column = {
  transactionsBuy: 1,
  transactionsSell: 3,
  traders: 5,
  volumeUsdBuy: 11,
  volumeUsdSell: 13,
  priceTon: 19,
  priceTonPrevious: 21,
  priceUsd: 23,
} as const;
type WindowParts = readonly string[];

/** The parts of a window; undefined where the text has no such window. */
function windowOf(text: string, name: WindowA): WindowParts | undefined {
  const start = text.indexOf(`["${name}",`);
  // A day of usd_by_day begins like a window; they come after the windows.
  if (start < 0 || start > text.indexOf(']]],')) return undefined;
  const parts = text.slice(start + 1, text.indexOf(']]', start)).split(',');
  if (parts.length !== columns) throw new TypeError(`figures: window ${name} has ${parts.length} parts`);
  return parts;
}

function textAt(window: WindowParts, index: number): string {
  const part = window[index] ?? '';
  if (!part.startsWith('"') || !part.endsWith('"')) throw new TypeError(`figures: column ${index} is no text`);
  return part.slice(1, -1);
}

function priceAt(window: WindowParts | undefined, index: number): AmountText | undefined {
  if (window === undefined) return undefined;
  const value = window[index] ?? '';
  const decimals = Number.parseInt(window[index + 1] ?? '', 10);
  if (!value.startsWith('["') || Number.isNaN(decimals)) throw new TypeError(`figures: column ${index} is no price`);
  const amount = { value: value.slice(2, -1), decimals };
  return isPrice(amount) ? amount : undefined;
}

/** The minutes of the newest points in ton and usd, which follow the windows. */
function changedAt(text: string): readonly [ton: number, usd: number] {
  const start = text.indexOf(text.startsWith('[[]') ? '],' : ']]],');
  const [ton = Number.NaN, usd = Number.NaN] = text
    .slice(text.indexOf(',', start) + 1, text.indexOf(',[', start + 4))
    .split(',')
    .map(Number);
  if (start < 0 || !Number.isInteger(ton) || !Number.isInteger(usd)) throw new TypeError('figures: no instants');
  return [ton, usd];
}

/** changePercent of priceChange.ton × 10^4; noPrevious is missing. Source: statistics.md, "changePercent". */
function tonChange(window: WindowParts | undefined): bigint | undefined {
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
  const hour = windowOf(text, 'hour');
  const price = priceAt(hour, column.priceTon);
  const priceUsd = priceAt(hour, column.priceUsd);
  const [ton, usd] = changedAt(text);
  return {
    price,
    priceChangedAt: price && known(ton),
    priceUsd,
    priceUsdChangedAt: priceUsd && known(usd),
    changeHour: tonChange(hour),
  };
}

/** Throws SyntaxError, RangeError or TypeError for a text that is none. */
export function midFigures(text: string): MidFigures {
  const day = windowOf(text, 'day');
  const changes = { changeHour6: tonChange(windowOf(text, 'hour6')), changeDay: tonChange(day) };
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
  return { changeWeek: tonChange(windowOf(text, 'week')), changeMonth: tonChange(windowOf(text, 'month')) };
}
