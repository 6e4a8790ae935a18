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
  readonly minute: number;
  readonly pool: string;
  readonly ton: PricePoint;
  readonly usd: PricePoint;
}

export const pointsOf = (row: PriceInput): Points => ({
  minute: row.minute_s,
  pool: row.pool,
  ton: tonPoint(row),
  usd: usdPoint(row),
});

const textOrder = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const byMinute = (one: Points, other: Points) => one.minute - other.minute || textOrder(one.pool, other.pool);
const byPool = (one: CountingMinute, other: CountingMinute) =>
  textOrder(one.pool, other.pool) || textOrder(one.asset, other.asset);

/** Index of the first of an ascending list that is not before what is looked for. */
function placeIn<T>(list: readonly T[], isBefore: (one: T) => boolean): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const one = list[middle];
    if (one !== undefined && isBefore(one)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Lists longer than this are changed where they are; a copy of a shorter one takes no more memory than its items. */
const copiedMax = 64;

function replaced<T>(list: T[], place: number, removed: 0 | 1, added: readonly T[]): T[] {
  if (list.length <= copiedMax) return list.toSpliced(place, removed, ...added);
  list.splice(place, removed, ...added);
  return list;
}

/**
 * What the prices of one jetton at one instant rest on: per currency the points of the 60 minutes up to the newest, and
 * per pool and counter asset the newest counting minute. It follows the ledger row by row; only when a row takes away
 * what is newest, older rows have to be read. Kept in sorted lists: of most jettons they hold one or two, and there are
 * as many of these objects as jettons and instants together.
 */
export class JettonInputs {
  /** By minute and pool. */
  #points: Points[] = [];
  /** By pool and asset: its newest counting minute. */
  #counting: CountingMinute[] = [];

  /** Takes what a bucket holds now. Returns false when the inputs have to be read anew. */
  apply(row: PriceInput): boolean {
    const isPointKept = this.applyPoints(pointsOf(row));
    const isCountingKept = this.#applyRow(row);
    return isPointKept && isCountingKept;
  }

  /** Takes the points of a row alone; see {@link apply}. */
  applyPoints(now: Points): boolean {
    const place = placeIn(this.#points, (one) => byMinute(one, now) < 0);
    const found = this.#points[place];
    const before = found !== undefined && byMinute(found, now) === 0 ? found : undefined;
    const kept = isPoint(now.ton) || isPoint(now.usd) ? [now] : [];
    if (kept.length > 0 || before !== undefined)
      this.#points = replaced(this.#points, place, before === undefined ? 0 : 1, kept);
    const isLost = (currency: 'ton' | 'usd') =>
      before !== undefined && isPoint(before[currency]) && !isPoint(now[currency]);
    return !isLost('ton') && !isLost('usd');
  }

  #applyRow(row: PriceInput): boolean {
    const minutes = countingMinutes(row);
    for (const minute of minutes) this.applyCounting(minute);
    return this.counting(row.pool).every(
      ({ asset, minute }) => minute !== row.minute_s || minutes.some((one) => one.asset === asset),
    );
  }

  /** Takes a counting minute, where it is the newest of its pool and asset. */
  applyCounting(now: CountingMinute): void {
    const place = placeIn(this.#counting, (one) => byPool(one, now) < 0);
    const found = this.#counting[place];
    const before = found !== undefined && byPool(found, now) === 0 ? found : undefined;
    if (now.minute < (before?.minute ?? 0)) return;
    this.#counting = replaced(this.#counting, place, before === undefined ? 0 : 1, [now]);
  }

  /** The jetton's prices; drops the points that no later price can need. */
  price(decimals: number): JettonPrice {
    const points = this.#points;
    if (points.length === 0) return noJettonPrice;
    const price = jettonPriceOf(
      points.map(({ ton }) => ton),
      points.map(({ usd }) => usd),
      decimals,
    );
    const isNeeded = ({ ton, usd }: Points) =>
      (isPoint(ton) && ton.minute > price.changedAt.ton - windowSeconds) ||
      (isPoint(usd) && usd.minute > price.changedAt.usd - windowSeconds);
    if (!points.every(isNeeded)) this.#points = points.filter(isNeeded);
    return price;
  }

  /** The newest counting minute of a pool against each asset. */
  counting(pool: string): CountingMinute[] {
    const from = placeIn(this.#counting, (one) => one.pool < pool);
    const found: CountingMinute[] = [];
    for (let one = this.#counting[from]; one?.pool === pool; one = this.#counting[from + found.length]) found.push(one);
    return found;
  }
}
