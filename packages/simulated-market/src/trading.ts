import type { Asset } from './assets.js';
import { isAwake } from './assets.js';
import type { Reserves, Swap } from './constant-product.js';
import { swap } from './constant-product.js';
import type { Pool } from './invent-pools.js';
import type { Prices } from './prices.js';
import type { Random } from './random.js';

export interface Fill {
  readonly pool: Pool;
  readonly soldLeft: boolean;
  readonly amountSold: bigint;
  readonly amountBought: bigint;
}

const picksMax = 30;
const sizeDeviation = 1.6;
/** Largest part of the side it goes into that one trade is. */
const partMax = 0.05;
const arbitragePartMax = 0.3;
/** A pool this far (logarithm) from what the jetton is worth draws traders who close the gap. */
const arbitrageGap = 0.02;
const reserveMin = 5000n;
const scaleBase = 1_000_000;

/** Chooses pools and swaps in them; keeps their reserves. */
export class Trading {
  private readonly cumulative: Float64Array;
  private readonly reserves: Reserves[];

  /** `pools` must begin with one that always trades; `reserves` by pool, as `state()` gave them. */
  constructor(
    private readonly pools: readonly Pool[],
    private readonly prices: Prices,
    reserves?: readonly Reserves[],
  ) {
    this.reserves = [...(reserves ?? pools.map((pool) => pool.initialReserves))];
    let sum = 0;
    this.cumulative = Float64Array.from(pools, (pool) => (sum += pool.weight));
  }

  state(): readonly Reserves[] {
    return this.reserves;
  }

  reservesOf(pool: Pool): Reserves {
    return this.reserves[pool.index] ?? pool.initialReserves;
  }

  /** One trade at an instant: in some pool whose jettons are awake, of some size, with the right numbers. */
  fill(timeMs: number, random: Random): Fill {
    const chosen = this.pick(timeMs, random);
    const first = this.pools[0];
    const fill = this.fillIn(chosen, timeMs, random) ?? (first && this.fillIn(first, timeMs, random));
    if (fill === undefined) throw new Error('the first pool is too small to trade in');
    return fill;
  }

  /**
   * Liquidity comes and goes until the pool is worth about what it was at the start (times `factor`): prices stay.
   */
  rebalance(pool: Pool, factor: number): void {
    const { left, right } = this.reservesOf(pool);
    const ratio = (factor * this.worthTon(pool, pool.initialReserves)) / this.worthTon(pool, { left, right });
    const scale = BigInt(Math.ceil(Math.min(Math.max(ratio, 0.01), 100) * scaleBase));
    let scaled = { left: (left * scale) / BigInt(scaleBase), right: (right * scale) / BigInt(scaleBase) };
    const least = scaled.left < scaled.right ? scaled.left : scaled.right;
    if (least < reserveMin) {
      const times = reserveMin / (least > 0n ? least : 1n) + 1n;
      scaled = { left: scaled.left * times + 1n, right: scaled.right * times + 1n };
    }
    this.reserves[pool.index] = scaled;
  }

  /** Worth of both sides in whole TON. */
  worthTon(pool: Pool, { left, right }: Reserves = this.reservesOf(pool)): number {
    return this.wholeTon(pool.left, left) + this.wholeTon(pool.right, right);
  }

  private wholeTon(asset: Asset, raw: bigint): number {
    return (Number(raw) / 10 ** asset.decimals) * this.prices.tonOf(asset);
  }

  private pick(timeMs: number, random: Random): Pool | undefined {
    const total = this.cumulative[this.cumulative.length - 1] ?? 0;
    for (let attempt = 0; attempt < picksMax; attempt += 1) {
      const pool = this.pools[this.indexAt(random.next() * total)];
      if (pool && isAwake(pool.left.presence, timeMs) && isAwake(pool.right.presence, timeMs)) return pool;
    }
    return this.pools[0];
  }

  private indexAt(target: number): number {
    let low = 0;
    let high = this.cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.cumulative[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private fillIn(pool: Pool | undefined, timeMs: number, random: Random): Fill | undefined {
    if (pool === undefined) return undefined;
    this.prices.walk(pool.left, timeMs, random);
    this.prices.walk(pool.right, timeMs, random);
    const before = this.reservesOf(pool);
    const gap = Math.log(this.wholeTon(pool.left, before.left) / this.wholeTon(pool.right, before.right));
    const isArbitrage = Math.abs(gap) > arbitrageGap && random.chance(0.7);
    // gap > 0: the pool holds too much of the left asset, that is, sells it too cheap.
    const soldLeft = isArbitrage ? gap < 0 : random.chance(0.5 - Math.min(Math.max(gap * 5, -0.45), 0.45));
    const side = soldLeft ? before.left : before.right;
    const part = isArbitrage
      ? Math.min(Math.expm1(Math.abs(gap) / 2) * random.between(0.6, 1), arbitragePartMax)
      : this.ordinaryPart(pool, soldLeft, side, random);
    const done = this.swapAtLeastOne(pool, soldLeft, side, part);
    if (done === undefined) return undefined;
    this.reserves[pool.index] = done.reserves;
    if (!isArbitrage) this.prices.nudge(pool.left, (soldLeft ? -1 : 1) * part * 0.5);
    return { pool, soldLeft, amountSold: done.amountIn, amountBought: done.amountOut };
  }

  /** Log-normal in worth, as a part of the side it goes into. */
  private ordinaryPart(pool: Pool, soldLeft: boolean, side: bigint, random: Random): number {
    const usd = pool.left.medianTradeUsd * Math.exp(random.normal() * sizeDeviation);
    const sideTon = this.wholeTon(soldLeft ? pool.left : pool.right, side);
    return Math.min(usd / (sideTon * this.prices.tonUsd), partMax);
  }

  private swapAtLeastOne(pool: Pool, soldLeft: boolean, side: bigint, part: number): Swap | undefined {
    const reserves = this.reservesOf(pool);
    const { feeBps } = pool.exchange;
    const amountIn = BigInt(Math.ceil(Number(side) * part));
    return swap(reserves, soldLeft, amountIn, feeBps) ?? swap(reserves, soldLeft, side / 500n + 1n, feeBps);
  }
}
