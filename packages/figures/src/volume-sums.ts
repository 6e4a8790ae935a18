import type { ScaledPair } from './change-objects.js';
import { parseDecimal } from './decimal-text.js';
import { addScaled, type Scaled } from './exact.js';
import type { DecimalPair, JettonFigures } from './figures.js';
import { productOf } from './rational.js';
import { windowsB, type WindowB } from './windows.js';

/** volume_usd of one UTC day of the trades inside a window, exact decimal text. */
export interface DayVolume {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly buy: string;
  readonly sell: string;
}

/** volume_usd of both halves of a window by UTC day; days without volume are left out. */
export interface DayVolumes {
  readonly current: readonly DayVolume[];
  readonly previous: readonly DayVolume[];
}
export type UsdByDay = { readonly [W in WindowB]?: DayVolumes };

/** Exact volumes of a window, not rounded yet. */
interface VolumeSum {
  readonly total: ScaledPair;
  readonly buy: ScaledPair;
  readonly sell: ScaledPair;
}
/** A missing window had no volume. */
export type VolumeSums = { readonly [W in WindowB]?: VolumeSum };

const zero: Scaled = { value: 0n, decimals: 0 };

const exactPair = ({ current, previous }: DecimalPair): ScaledPair => ({
  current: parseDecimal(current),
  previous: parseDecimal(previous),
});

/** buy, sell and buy + sell. */
const volumeSum = (buy: ScaledPair, sell: ScaledPair): VolumeSum => ({
  total: {
    current: addScaled(buy.current, sell.current),
    previous: addScaled(buy.previous, sell.previous),
  },
  buy,
  sell,
});

/** The sums of volume_ton or volume_usd. Throws RangeError for figures that are no decimal text. */
export function volumeSums(figures: JettonFigures, currency: 'ton' | 'usd'): VolumeSums {
  return Object.fromEntries(
    windowsB.flatMap((window) => {
      const own = figures[window];
      if (own === undefined) return [];
      const [buy, sell] =
        currency === 'ton' ? [own.volumeTonBuy, own.volumeTonSell] : [own.volumeUsdBuy, own.volumeUsdSell];
      return [[window, volumeSum(exactPair(buy), exactPair(sell))]];
    }),
  );
}

/**
 * The sums of volume_usd × the rate of the UTC day of the trade, products exact: yesterday's volume is converted at
 * yesterday's rate. `rateOf` gives units of the fiat for one usd on a day (`YYYY-MM-DD`). Throws what `rateOf` throws, and
 * RangeError for figures that are no decimal text. Source: docs/statistics.md, "Change lists".
 */
export function fiatVolumeSums(usdByDay: UsdByDay, rateOf: (day: string) => Scaled): VolumeSums {
  const rates = new Map<string, Scaled>();
  const rateOnce = (day: string): Scaled => {
    let rate = rates.get(day);
    if (rate === undefined) rates.set(day, (rate = rateOf(day)));
    return rate;
  };
  const sumOf = (days: readonly DayVolume[], side: 'buy' | 'sell'): Scaled =>
    days.reduce((sum, volume) => addScaled(sum, productOf(parseDecimal(volume[side]), rateOnce(volume.day))), zero);
  const pairOf = ({ current, previous }: DayVolumes, side: 'buy' | 'sell'): ScaledPair => ({
    current: sumOf(current, side),
    previous: sumOf(previous, side),
  });
  return Object.fromEntries(
    windowsB.flatMap((window) => {
      const own = usdByDay[window];
      return own === undefined ? [] : [[window, volumeSum(pairOf(own, 'buy'), pairOf(own, 'sell'))]];
    }),
  );
}
