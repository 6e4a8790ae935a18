import type { Assets } from '@jetton-analytics/feed';
import {
  type EmittedPrices,
  lsdUnit,
  nativeUsdOf,
  noPriceAmount,
  priceDecimals,
  type Rational,
} from '@jetton-analytics/figures';
import { shortFigures } from './step-figures.js';

/** What quote assets are worth in usd at C of the hour window. */
export interface Quotes {
  readonly nativeUsd: Rational | undefined;
  /** By raw address; LSDs without a price are not in it. */
  readonly lsdUsd: ReadonlyMap<string, Rational>;
}

export const noQuotes: Quotes = { nativeUsd: undefined, lsdUsd: new Map() };

function emittedPrices(text: string | undefined): EmittedPrices | undefined {
  if (text === undefined) return undefined;
  const { price, priceUsd } = shortFigures(text);
  return {
    price: price ?? noPriceAmount(priceDecimals.ton),
    priceUsd: priceUsd ?? noPriceAmount(priceDecimals.fiat),
  };
}

/** Reads the quotes from the short step's rows. Source: docs/statistics.md, "Price of a jetton" and "Metrics". */
export function quotesOf({ stables, lsds }: Assets, textOf: (jetton: string) => string | undefined): Quotes {
  const lsdUsd = new Map<string, Rational>();
  for (const lsd of lsds) {
    const unit = lsdUnit(emittedPrices(textOf(lsd))?.priceUsd);
    if (unit !== undefined) lsdUsd.set(lsd, unit.usd);
  }
  return { nativeUsd: nativeUsdOf(stables.map((stable) => emittedPrices(textOf(stable)))), lsdUsd };
}

const same = (a: Rational | undefined, b: Rational | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.numerator === b.numerator && a.denominator === b.denominator);

/** Whether any pool may have another value now. */
export function sameQuotes(a: Quotes, b: Quotes): boolean {
  if (!same(a.nativeUsd, b.nativeUsd) || a.lsdUsd.size !== b.lsdUsd.size) return false;
  return [...a.lsdUsd].every(([lsd, usd]) => same(usd, b.lsdUsd.get(lsd)));
}

/** Whether the same quote assets have a price, so that every pool's value has the same terms. */
export function sameTerms(a: Quotes, b: Quotes): boolean {
  if ((a.nativeUsd === undefined) !== (b.nativeUsd === undefined) || a.lsdUsd.size !== b.lsdUsd.size) return false;
  return [...a.lsdUsd.keys()].every((lsd) => b.lsdUsd.has(lsd));
}
