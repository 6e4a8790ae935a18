import { decimalText, scaledFromDecimal, type Step, type WindowB, windowsB } from '@jetton-analytics/figures';
import { stepWindows } from './edges.js';
import type { HalfSums } from './window-sums.query.js';

/** The tuple of the column `usd_by_day`; the day is `YYYY-MM-DD`, the sums are plain decimal text. */
export type UsdOfDay = readonly [window: WindowB, half: 'current' | 'previous', day: string, buy: string, sell: string];

const volumeScale = 18;
const isCounted = (name: string): name is WindowB => windowsB.some((window) => window === name);

/**
 * volume_usd of the step's windows of counts split by the UTC day of the trade, in the order of windows, halves and
 * days; a day without volume is absent. The days of a half add up to its volume_usd exactly.
 */
export function usdByDay(step: Step, halves: readonly HalfSums[]): UsdOfDay[] {
  return stepWindows[step].flatMap(({ name }, index) =>
    isCounted(name)
      ? (['current', 'previous'] as const).flatMap((half, position) => {
          const parts = halves.find((row) => row.half === 2 * index + position)?.usd_days ?? [];
          return daysOf(parts).map(([day, buy, sell]): UsdOfDay => [name, half, day, buy, sell]);
        })
      : [],
  );
}

/** Adds up the parts that edges of other windows cut a day into. */
function daysOf(parts: HalfSums['usd_days']): [day: string, buy: string, sell: string][] {
  const sums = new Map<string, { buy: bigint; sell: bigint }>();
  for (const [day, buy, sell] of parts) {
    const sum = sums.get(day) ?? { buy: 0n, sell: 0n };
    sum.buy += scaledFromDecimal(buy, volumeScale);
    sum.sell += scaledFromDecimal(sell, volumeScale);
    sums.set(day, sum);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, { buy, sell }]) => [day, decimalText(buy, volumeScale), decimalText(sell, volumeScale)]);
}
