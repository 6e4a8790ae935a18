import type { PricePoint } from '@jetton-analytics/figures';
import type { PriceInput } from './price-inputs.query.js';
import {
  countingMinutes,
  type CountingMinute,
  isPoint,
  type JettonPrice,
  jettonPriceOf,
  noJettonPrice,
  tonPoint,
  usdPoint,
} from './prices.js';

const windowSeconds = 3_600;

/** What a row says of prices, under its minute and pool: one object for all instants at which it is looked at. */
export interface Points {
  readonly key: string;
  readonly ton: PricePoint;
  readonly usd: PricePoint;
}

export const pointsOf = (row: PriceInput): Points => ({
  key: `${row.minute_s}|${row.pool}`,
  ton: tonPoint(row),
  usd: usdPoint(row),
});

/**
 * What the prices of one jetton at one instant rest on: per currency the points of the 60 minutes up to the newest, and
 * per pool and counter asset the newest counting minute. It follows the ledger row by row; only when a row takes away
 * what is newest, older rows have to be read.
 */
export class JettonInputs {
  /** By minute and pool. */
  readonly #points = new Map<string, Points>();
  /** Pool → asset → its newest counting minute. */
  readonly #counting = new Map<string, Map<string, CountingMinute>>();

  /** Takes what a bucket holds now. Returns false when the inputs have to be read anew. */
  apply(row: PriceInput): boolean {
    const isPointKept = this.applyPoints(pointsOf(row));
    const isCountingKept = this.#applyCounting(row);
    return isPointKept && isCountingKept;
  }

  /** Takes the points of a row alone; see {@link apply}. */
  applyPoints(now: Points): boolean {
    const { key } = now;
    const before = this.#points.get(key);
    if (isPoint(now.ton) || isPoint(now.usd)) this.#points.set(key, now);
    else this.#points.delete(key);
    const isLost = (currency: 'ton' | 'usd') =>
      before !== undefined && isPoint(before[currency]) && !isPoint(now[currency]);
    return !isLost('ton') && !isLost('usd');
  }

  #applyCounting(row: PriceInput): boolean {
    const known = this.#counting.get(row.pool) ?? new Map<string, CountingMinute>();
    const minutes = countingMinutes(row);
    for (const minute of minutes) {
      if (minute.minute >= (known.get(minute.asset)?.minute ?? 0)) known.set(minute.asset, minute);
    }
    if (known.size > 0) this.#counting.set(row.pool, known);
    return [...known.values()].every(
      ({ asset, minute }) => minute !== row.minute_s || minutes.some((one) => one.asset === asset),
    );
  }

  /** Takes a counting minute read by itself, where it is the newest. */
  applyCounting(pool: string, minute: CountingMinute): void {
    const known = this.#counting.get(pool) ?? new Map<string, CountingMinute>();
    if (minute.minute >= (known.get(minute.asset)?.minute ?? 0)) known.set(minute.asset, minute);
    this.#counting.set(pool, known);
  }

  /** The jetton's prices; drops the points that no later price can need. */
  price(decimals: number): JettonPrice {
    const points = [...this.#points.values()];
    if (points.length === 0) return noJettonPrice;
    const price = jettonPriceOf(
      points.map(({ ton }) => ton),
      points.map(({ usd }) => usd),
      decimals,
    );
    for (const [key, { ton, usd }] of this.#points) {
      const isNeeded =
        (isPoint(ton) && ton.minute > price.changedAt.ton - windowSeconds) ||
        (isPoint(usd) && usd.minute > price.changedAt.usd - windowSeconds);
      if (!isNeeded) this.#points.delete(key);
    }
    return price;
  }

  /** The newest counting minute of a pool against each asset. */
  counting(pool: string): CountingMinute[] {
    return [...(this.#counting.get(pool)?.values() ?? [])];
  }
}
