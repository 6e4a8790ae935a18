import { RowBinaryReader, RowBinaryWriter } from '@jetton-analytics/clickhouse';
import { type Step, type WindowA, windowsA } from '@jetton-analytics/figures';
import { FiguresPacker } from '../src/snapshots/pack-figures.js';

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
  readonly window: string;
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

function writeWindow(row: RowBinaryWriter, name: WindowA, seed: WindowSeed): void {
  const { buys = '0', sells = '0', traders = '0', volumeUsdBuy = '0', volumeUsdSell = '0' } = seed;
  const [ton, tonBefore, tonDecimals = 9] = seed.priceTon ?? ['0', '0'];
  const [usd, usdBefore, usdDecimals = 6] = seed.priceUsd ?? ['0', '0'];
  row.string(name);
  for (const count of [buys, '0', sells, '0', traders, '0', '0', '0', '0', '0']) row.int64(BigInt(count));
  for (const volume of [volumeUsdBuy, '0', volumeUsdSell, '0', '0', '0', '0', '0']) row.int256(units(volume));
  row.string(ton).uint8(tonDecimals).string(tonBefore).uint8(tonDecimals);
  row.string(usd).uint8(usdDecimals).string(usdBefore).uint8(usdDecimals);
}

/** The text of a jetton's row of the windows given, from the columns as the store sends them. */
export function figuresTextOf(
  windows: Readonly<Partial<Record<WindowA, WindowSeed>>>,
  [ton, usd]: readonly [ton: number, usd: number] = [0, 0],
  days: readonly DaySeed[] = [],
): string {
  const row = new RowBinaryWriter(4_096);
  row.uint8(Object.keys(windows).length);
  for (const name of windowsA) {
    const seed = windows[name];
    if (seed !== undefined) writeWindow(row, name, seed);
  }
  row.uint32(ton).uint32(usd).uint8(days.length);
  for (const { window, half, day, buy, sell } of days) {
    row
      .string(window)
      .uint8(half === 'current' ? 1 : 2)
      .uint16(day)
      .int256(units(buy))
      .int256(units(sell));
  }
  return new FiguresPacker().jetton(new RowBinaryReader(Buffer.from(row.bytes)));
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
  const row = new RowBinaryWriter(1_024).uint8(1).string('hour');
  for (const count of [1n, 0n, 1n, 0n]) row.int64(count);
  row.int256(units('1')).int256(0n);
  row.string(price).uint8(9).string('0').uint8(9).string(counterpart);
  return new FiguresPacker().market(new RowBinaryReader(Buffer.from(row.bytes)));
}
