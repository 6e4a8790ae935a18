import { type Step, type WindowA, windowsA } from '@jetton-analytics/figures';
import { PackedWriter } from './packed-writer.js';

export interface WindowSeed {
  readonly buys?: string;
  readonly sells?: string;
  readonly traders?: string;
  readonly volumeUsdBuy?: string;
  readonly volumeUsdSell?: string;
  readonly priceTon?: readonly [current: string, previous: string, decimals?: number];
  readonly priceUsd?: readonly [current: string, previous: string, decimals?: number];
}

export interface DaySeed {
  readonly window: WindowA;
  readonly half: 'current' | 'previous';
  /** Days since 1970. */
  readonly day: number;
  readonly buy: string;
  readonly sell: string;
}

const windowsOfStep: Readonly<Record<Step, readonly WindowA[]>> = {
  short: ['min15', 'hour'],
  mid: ['hour6', 'hour12', 'day'],
  long: ['week', 'month'],
};
const decimals = 18;

/** A plain decimal in units of its 18th digit. */
function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function writeWindow(row: PackedWriter, name: WindowA, seed: WindowSeed): void {
  const { buys = '0', sells = '0', traders = '0', volumeUsdBuy = '0', volumeUsdSell = '0' } = seed;
  const [ton, tonBefore, tonDecimals = 9] = seed.priceTon ?? ['0', '0'];
  const [usd, usdBefore, usdDecimals = 6] = seed.priceUsd ?? ['0', '0'];
  row.byte(windowsA.indexOf(name));
  for (const count of [buys, '0', sells, '0', traders, '0', '0', '0', '0', '0']) row.integer(BigInt(count));
  for (const volume of [volumeUsdBuy, '0', volumeUsdSell, '0', '0', '0', '0', '0']) row.integer(units(volume));
  row.characters(ton).byte(tonDecimals).characters(tonBefore).byte(tonDecimals);
  row.characters(usd).byte(usdDecimals).characters(usdBefore).byte(usdDecimals);
}

/** The text of a jetton's row of the windows given, as the store sends it. */
export function figuresTextOf(
  windows: Readonly<Partial<Record<WindowA, WindowSeed>>>,
  [ton, usd]: readonly [ton: number, usd: number] = [0, 0],
  days: readonly DaySeed[] = [],
): string {
  const row = new PackedWriter().count(Object.keys(windows).length);
  for (const name of windowsA) {
    const seed = windows[name];
    if (seed !== undefined) writeWindow(row, name, seed);
  }
  row.integer(BigInt(ton)).integer(BigInt(usd)).count(days.length);
  for (const { window, half, day, buy, sell } of days) {
    row
      .byte(windowsA.indexOf(window))
      .byte(half === 'current' ? 1 : 2)
      .integer(BigInt(day))
      .integer(units(buy))
      .integer(units(sell));
  }
  return row.text;
}

/** The text of a jetton's row of a step: all windows alike, or by name. */
export function figuresText(
  step: Step,
  seed: WindowSeed | Partial<Record<WindowA, WindowSeed>>,
  changedAt: readonly [ton: number, usd: number] = [0, 0],
): string {
  const byName = Object.keys(seed).some((key) => windowsOfStep[step].includes(key as WindowA));
  const of = (name: WindowA) =>
    byName ? ((seed as Partial<Record<WindowA, WindowSeed>>)[name] ?? {}) : (seed as WindowSeed);
  return figuresTextOf(Object.fromEntries(windowsOfStep[step].map((name) => [name, of(name)])), changedAt);
}

/** The text of a market's row: its hour window, one trade in the current half. */
export function marketText(price: string, counterpart: string): string {
  const row = new PackedWriter().count(1).byte(windowsA.indexOf('hour'));
  for (const count of [1n, 0n, 1n, 0n]) row.integer(count);
  row.integer(units('1')).integer(0n);
  return row.characters(price).byte(9).characters('0').byte(9).characters(counterpart).text;
}
