import type { Currency } from '@jetton-analytics/common';
import type { Scaled } from '@jetton-analytics/figures';
import type { Fiat } from './fiats.js';

/** Units of a fiat for one usd on a UTC day, `YYYY-MM-DD`. */
export interface DayRate {
  readonly day: string;
  readonly currency: Fiat;
  readonly rate: Scaled;
}

interface Series {
  /** Ascending. */
  readonly days: readonly string[];
  readonly rates: readonly Scaled[];
}

const one: Scaled = { value: 1n, decimals: 0 };

/** Index of the last day that is not after `day`, -1 where all are. */
function lastUpTo(days: readonly string[], day: string): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? '') <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function seriesOf(rateByDay: ReadonlyMap<string, Scaled>): Series {
  const ordered = [...rateByDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { days: ordered.map(([day]) => day), rates: ordered.map(([, rate]) => rate) };
}

/**
 * Daily rates of the fiats to usd, exact. Never changes: a change makes another object, so that what was calculated with
 * one can be kept by it.
 */
export class Rates {
  static readonly none = new Rates(new Map());

  private constructor(private readonly series: ReadonlyMap<Fiat, Series>) {}

  /** Rates of these rows; of two of one day and currency the later one counts. */
  static of(rows: Iterable<DayRate>): Rates {
    return Rates.none.with(rows);
  }

  /** These rates and the rows, which win over what is there. */
  with(rows: Iterable<DayRate>): Rates {
    const changed = new Map<Fiat, Map<string, Scaled>>();
    for (const { day, currency, rate } of rows) {
      let own = changed.get(currency);
      if (own === undefined) {
        const { days = [], rates = [] } = this.series.get(currency) ?? {};
        own = new Map(days.map((known, index) => [known, rates[index] ?? one]));
        changed.set(currency, own);
      }
      own.set(day, rate);
    }
    if (changed.size === 0) return this;
    const moved = new Map(this.series);
    for (const [currency, own] of changed) moved.set(currency, seriesOf(own));
    return new Rates(moved);
  }

  /**
   * Units of the currency for one usd on a UTC day (`YYYY-MM-DD`): of the last known day up to it, for anything earlier of
   * the first known day; usd is 1. Undefined for a currency that no day is known of. Throws RangeError for `ton`, which
   * has no rate: its price comes from trades. Source: docs/feed.md, "Rates".
   */
  on(currency: Currency, day: string): Scaled | undefined {
    if (currency === 'usd') return one;
    if (currency === 'ton') throw new RangeError('ton has no rate');
    const series = this.series.get(currency);
    if (series === undefined) return undefined;
    return series.rates[Math.max(0, lastUpTo(series.days, day))];
  }

  /** The newest day that a rate is known of; undefined where none is. */
  get newestDay(): string | undefined {
    let newest: string | undefined;
    for (const { days } of this.series.values()) {
      const last = days.at(-1);
      if (last !== undefined && (newest === undefined || last > newest)) newest = last;
    }
    return newest;
  }
}
