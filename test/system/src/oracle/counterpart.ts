import { decimalsOf, type Assets } from './assets.js';
import type { Fraction } from './exact.js';
import type { Leg } from './legs.js';

/** The size test of docs/statistics.md, "Market statistics". */
export function counts({ volumeUsd, amount, otherAmount }: Leg, { priceMinTradeUsd }: Assets): boolean {
  return volumeUsd === null ? amount >= 1000n && otherAmount >= 1000n : volumeUsd >= priceMinTradeUsd;
}

const minuteOf = ({ eventTime }: Leg) => Math.floor(eventTime / 60);
const byTimeThenId = (a: Leg, b: Leg) => a.eventTime - b.eventTime || (a.eventId < b.eventId ? -1 : 1);

/** The other asset of the market as legs before C name it; undefined where none does. */
export function counterpartOf(c: number, marketLegs: readonly Leg[], assets: Assets): string | undefined {
  const known = marketLegs.filter((leg) => leg.eventTime < c && counts(leg, assets));
  return known.sort(byTimeThenId).at(-1)?.other;
}

/** Price of the jetton in units of the counterpart at t: that of the last minute before t that has a counting leg. */
export function counterpartPriceAt(
  t: number,
  jetton: string,
  counterpart: string,
  marketLegs: readonly Leg[],
  assets: Assets,
): Fraction | undefined {
  const counting = marketLegs.filter(
    (leg) => leg.eventTime < t && leg.other === counterpart && counts(leg, assets) && leg.amount > 0n,
  );
  if (counting.length === 0) return undefined;
  const last = counting.reduce((minute, leg) => Math.max(minute, minuteOf(leg)), -Infinity);
  const legs = counting.filter((leg) => minuteOf(leg) === last);
  const otherAmount = legs.reduce((sum, leg) => sum + leg.otherAmount, 0n);
  const amount = legs.reduce((sum, leg) => sum + leg.amount, 0n);
  return {
    numerator: otherAmount * 10n ** BigInt(decimalsOf(jetton, assets)),
    denominator: amount * 10n ** BigInt(decimalsOf(counterpart, assets)),
  };
}
