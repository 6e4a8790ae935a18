import type { AmountText } from './amounts.js';
import { changePercent, priceChangePercent, type Change } from './change-percent.js';
import { rescaled, type Scaled } from './exact.js';
import type { CountPair, PricePair } from './figures.js';
import { scaledOf } from './rational.js';
import type { TemplateWriter } from './template.js';
import { stepOf, type WindowA } from './windows.js';

/** Two exact sums, not rounded yet. */
export interface ScaledPair {
  readonly current: Scaled;
  readonly previous: Scaled;
}

const amountJson = ({ value, decimals }: AmountText): string => `{"value":"${value}","decimals":${decimals}}`;

function addChange(writer: TemplateWriter, window: WindowA, change: Change, previous: string, current: string): void {
  const status = change.changeStatus === undefined ? '' : `,"changeStatus":"${change.changeStatus}"`;
  writer.add(`{"changePercent":${change.text}${status},"previous":${previous},"current":${current},"calculatedAt":"`);
  writer.addHole(stepOf[window]);
  writer.add('"}');
}

/** Writes a CountChange object. */
export function addCountChange(writer: TemplateWriter, window: WindowA, { current, previous }: CountPair): void {
  const now = BigInt(current);
  const before = BigInt(previous);
  const change = changePercent({ value: now, decimals: 0 }, { value: before, decimals: 0 });
  addChange(writer, window, change, `"${before}"`, `"${now}"`);
}

/** Writes the AmountChange object of a volume: each exact sum rounded once, the percentage from the rounded ones. */
export function addVolumeChange(writer: TemplateWriter, window: WindowA, pair: ScaledPair, decimals: number): void {
  const current = rescaled(pair.current, decimals);
  const previous = rescaled(pair.previous, decimals);
  const change = changePercent({ value: current, decimals }, { value: previous, decimals });
  const [before, now] = [previous.toString(), current.toString()];
  addChange(writer, window, change, amountJson({ value: before, decimals }), amountJson({ value: now, decimals }));
}

/** Writes the AmountChange object of a price. */
export function addPriceChange(writer: TemplateWriter, window: WindowA, { current, previous }: PricePair): void {
  const change = priceChangePercent(scaledOf(current), scaledOf(previous));
  addChange(writer, window, change, amountJson(previous), amountJson(current));
}

/** Writes an object with one member per key, each member's value written by `addValue`. */
export function addObject<Key extends string>(
  writer: TemplateWriter,
  keys: readonly Key[],
  addValue: (key: Key) => void,
): void {
  keys.forEach((key, index) => {
    writer.add(`${index === 0 ? '{' : ','}"${key}":`);
    addValue(key);
  });
  writer.add('}');
}
