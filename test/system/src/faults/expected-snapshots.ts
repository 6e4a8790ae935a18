import type { Assets } from '../oracle/assets.js';
import { priceAmount } from '../oracle/change.js';
import { counterpartOf, counterpartPriceAt } from '../oracle/counterpart.js';
import { plainText } from '../oracle/exact.js';
import type { Leg } from '../oracle/legs.js';
import { priceAt, pricedMinute, type PriceCurrency } from '../oracle/price.js';
import { windowSeconds, windowsB, type WindowName } from '../oracle/windows.js';

const stepWindows = {
  short: ['min15', 'hour'],
  mid: ['hour6', 'hour12', 'day'],
  long: ['week', 'month'],
} as const satisfies Record<string, readonly WindowName[]>;
export type StepName = keyof typeof stepWindows;
export const stepNames = ['short', 'mid', 'long'] as const satisfies readonly StepName[];

const between = (legs: readonly Leg[], from: number, to: number) =>
  legs.filter(({ eventTime }) => from <= eventTime && eventTime < to);
const ofSide = (legs: readonly Leg[], side: Leg['side']) => legs.filter((leg) => leg.side === side);
const count = (legs: readonly Leg[]) => String(legs.length);
const wallets = (legs: readonly Leg[]) =>
  String(new Set(legs.flatMap(({ trader }) => (trader === null ? [] : [trader]))).size);
const sumOf = (volume: 'volumeUsd' | 'volumeTon') => (legs: readonly Leg[]) =>
  plainText(
    legs.reduce((sum, leg) => sum + (leg[volume] ?? 0n), 0n),
    18,
  );
const usd = sumOf('volumeUsd');
const ton = sumOf('volumeTon');
const buys = (of: (legs: readonly Leg[]) => string) => (legs: readonly Leg[]) => of(ofSide(legs, 'buy'));
const sells = (of: (legs: readonly Leg[]) => string) => (legs: readonly Leg[]) => of(ofSide(legs, 'sell'));
const price = (amount: ReturnType<typeof priceAmount>) => [amount.value, String(amount.decimals)];

const jettonColumns = [
  buys(count),
  sells(count),
  wallets,
  buys(wallets),
  sells(wallets),
  buys(usd),
  sells(usd),
  buys(ton),
  sells(ton),
];

export type Tuple = readonly (string | readonly string[])[];

/** Current and previous of each column, over the two halves of a window at C. */
function halves(
  legs: readonly Leg[],
  columns: readonly ((legs: readonly Leg[]) => string)[],
  c: number,
  w: number,
): string[] {
  const current = between(legs, c - w, c);
  const previous = between(legs, c - 2 * w, c - w);
  return columns.flatMap((of) => [of(current), of(previous)]);
}

/** The windows of one step at C, in the order of the table's tuple. */
export function jettonWindows(
  step: StepName,
  jetton: string,
  legs: readonly Leg[],
  c: number,
  assets: Assets,
): Tuple[] {
  const at = (t: number, currency: PriceCurrency) =>
    price(priceAmount(priceAt(t, jetton, legs, currency, assets), currency === 'ton' ? 9 : 6));
  return stepWindows[step].map((name) => {
    const w = windowSeconds[name];
    const prices = [at(c, 'ton'), at(c - w, 'ton'), at(c, 'usd'), at(c - w, 'usd')];
    return [name, ...halves(legs, jettonColumns, c, w), ...prices];
  });
}

/** Volume in usd of the windows of counts by UTC day: window, half, day, buys, sells. */
export function usdByDay(step: StepName, legs: readonly Leg[], c: number): Tuple[] {
  const counted = stepWindows[step].filter((name) => (windowsB as readonly string[]).includes(name));
  return counted.flatMap((name) => {
    const w = windowSeconds[name];
    return (['current', 'previous'] as const).flatMap((half, index) => {
      const days = new Map<string, Leg[]>();
      for (const leg of between(legs, c - (index + 1) * w, c - index * w)) {
        const day = new Date(leg.eventTime * 1_000).toISOString().slice(0, 10);
        days.set(day, [...(days.get(day) ?? []), leg]);
      }
      return [...days]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, of]) => [name, half, day, buys(usd)(of), sells(usd)(of)])
        .filter(([, , , buy, sell]) => buy !== '0' || sell !== '0');
    });
  });
}

/** Start of the minute of the newest point in ton and in usd; told by the short step only. */
export function priceChangedAt(step: StepName, legs: readonly Leg[], c: number, assets: Assets): string[] {
  const currencies = ['ton', 'usd'] as const;
  return currencies.map((currency) => String(step === 'short' ? (pricedMinute(c, legs, currency, assets) ?? 0) : 0));
}

/** The windows of a market and the asset its price is in, empty where there is none. */
export function marketWindows(
  step: StepName,
  jetton: string,
  legs: readonly Leg[],
  c: number,
  assets: Assets,
): { readonly counterpart: string; readonly windows: Tuple[] } {
  const counterpart = counterpartOf(c, legs, assets);
  const at = (t: number) =>
    price(
      priceAmount(counterpart === undefined ? undefined : counterpartPriceAt(t, jetton, counterpart, legs, assets), 9),
    );
  const windows = stepWindows[step].map((name) => {
    const w = windowSeconds[name];
    // Markets are asked for counts over days and longer (docs/openapi.json): the short step has none.
    const counted = step === 'short' ? [] : legs;
    return [name, ...halves(counted, [count, wallets, usd], c, w), at(c), at(c - w)];
  });
  return { counterpart: counterpart ?? '', windows };
}
