import type { Assets } from './assets.js';
import { countChange, priceChange, volumeUsdChange, type Amount, type Change } from './change.js';
import { counterpartOf, counterpartPriceAt } from './counterpart.js';
import type { Leg } from './legs.js';
import { priceAt } from './price.js';
import { windowsA, windowsB, windowsC, windowSeconds, type Instants, type WindowName } from './windows.js';

type Windows<Value> = Record<string, Value>;

export interface JettonStatistics {
  readonly address: string;
  readonly priceChange: Record<'ton' | 'usd', Windows<Change<Amount>>>;
  readonly traders: Windows<Change<string>>;
  readonly tradersBuy: Windows<Change<string>>;
  readonly tradersSell: Windows<Change<string>>;
  readonly transactions: Windows<Change<string>>;
  readonly transactionsBuy: Windows<Change<string>>;
  readonly transactionsSell: Windows<Change<string>>;
  readonly volume: Record<'usd' | 'buyUsd' | 'sellUsd', Windows<Change<Amount>>>;
}

export interface MarketStatistics {
  readonly priceChange: Record<'counterpart', Windows<Change<Amount>>>;
  readonly traders: Windows<Change<string>>;
  readonly transactions: Windows<Change<string>>;
  readonly volume: { readonly usd: Windows<Change<Amount>> };
}

const between = (legs: readonly Leg[], from: number, to: number) =>
  legs.filter(({ eventTime }) => from <= eventTime && eventTime < to);
const countLegs = (legs: readonly Leg[]) => legs.length;
const countTraders = (legs: readonly Leg[]) =>
  new Set(legs.map(({ trader }) => trader).filter((trader) => trader !== null)).size;
const sumUsd = (legs: readonly Leg[]) => legs.reduce((sum, { volumeUsd }) => sum + (volumeUsd ?? 0n), 0n);

/** `of` is called once per window with its C, and its legs of the previous and of the current window. */
function eachWindow<Value>(
  names: readonly WindowName[],
  instants: Instants,
  legs: readonly Leg[],
  of: (c: number, previous: readonly Leg[], current: readonly Leg[], w: number) => Value,
): Windows<Value> {
  const entries = names.map((name) => {
    const c = instants[name];
    const w = windowSeconds[name];
    return [name, of(c, between(legs, c - 2 * w, c - w), between(legs, c - w, c), w)] as const;
  });
  return Object.fromEntries(entries);
}

/** Operation 6 from the legs of one jetton; undefined where neither a trade nor anything else makes it known. */
export function jettonStatistics(
  jetton: string,
  legs: readonly Leg[],
  instants: Instants,
  assets: Assets,
  isKnown = legs.length > 0,
): JettonStatistics | undefined {
  if (!isKnown) return undefined;
  const buys = legs.filter(({ side }) => side === 'buy');
  const sells = legs.filter(({ side }) => side === 'sell');
  const price = (currency: 'ton' | 'usd', naturalScale: number) =>
    eachWindow(windowsA, instants, [], (c, _previous, _current, w) =>
      priceChange(
        priceAt(c - w, jetton, legs, currency, assets),
        priceAt(c, jetton, legs, currency, assets),
        naturalScale,
        c,
      ),
    );
  const counts = (of: readonly Leg[], count: (legs: readonly Leg[]) => number) =>
    eachWindow(windowsB, instants, of, (c, previous, current) => countChange(count(previous), count(current), c));
  const volume = (of: readonly Leg[]) =>
    eachWindow(windowsB, instants, of, (c, previous, current) => volumeUsdChange(sumUsd(previous), sumUsd(current), c));
  return {
    address: jetton,
    priceChange: { ton: price('ton', 9), usd: price('usd', 6) },
    traders: counts(legs, countTraders),
    tradersBuy: counts(buys, countTraders),
    tradersSell: counts(sells, countTraders),
    transactions: counts(legs, countLegs),
    transactionsBuy: counts(buys, countLegs),
    transactionsSell: counts(sells, countLegs),
    volume: { usd: volume(legs), buyUsd: volume(buys), sellUsd: volume(sells) },
  };
}

/** What the newest state of a pool says of a market. */
export interface MarketState {
  /** Whether it names the jetton. */
  readonly isNamed: boolean;
  /** The other side it names beside the jetton. */
  readonly counterpart: string | undefined;
}
const noState: MarketState = { isNamed: false, counterpart: undefined };

/** Operation 7 from the legs of one jetton in one pool; undefined where neither a trade nor a state makes it known. */
export function marketStatistics(
  jetton: string,
  legs: readonly Leg[],
  instants: Instants,
  assets: Assets,
  state: MarketState = noState,
): MarketStatistics | undefined {
  if (legs.length === 0 && !state.isNamed) return undefined;
  const counterpart = eachWindow(windowsA, instants, [], (c, _previous, _current, w) => {
    const asset = state.counterpart ?? counterpartOf(c, legs, assets);
    const at = (t: number) => (asset === undefined ? undefined : counterpartPriceAt(t, jetton, asset, legs, assets));
    return priceChange(at(c - w), at(c), 9, c);
  });
  const counts = (count: (legs: readonly Leg[]) => number) =>
    eachWindow(windowsC, instants, legs, (c, previous, current) => countChange(count(previous), count(current), c));
  return {
    priceChange: { counterpart },
    traders: counts(countTraders),
    transactions: counts(countLegs),
    volume: {
      usd: eachWindow(['day'], instants, legs, (c, previous, current) =>
        volumeUsdChange(sumUsd(previous), sumUsd(current), c),
      ),
    },
  };
}
