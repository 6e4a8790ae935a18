import type { Asset } from './assets.js';
import { usdtIndex } from './assets.js';
import type { Random } from './random.js';

const dayMs = 86_400_000;
/** A walk over a longer silence would leap; whoever sleeps wakes up near the old price. */
const stepDaysMax = 0.25;
/** Days in which a price drifts back to where it began: without it a market that runs for years would leave all bounds. */
const returnDays = 45;

/**
 * What each asset is worth, in TON: a geometric random walk, taken a step further whenever it is asked. USDT is one of
 * them, so that the price of TON in usd walks too. Pools follow these prices by trades.
 */
export class Prices {
  private readonly logTon: Float64Array;
  private readonly walkedMs: Float64Array;

  /** `state` as `state()` gave it, for the same assets. */
  constructor(
    private readonly assets: readonly Asset[],
    startMs: number,
    state?: { readonly logTon: readonly number[]; readonly walkedMs: readonly number[] },
  ) {
    this.logTon = Float64Array.from(state?.logTon ?? assets.map((asset) => Math.log(asset.initialPriceTon)));
    this.walkedMs = Float64Array.from(state?.walkedMs ?? assets.map(() => startMs));
  }

  state(): { logTon: number[]; walkedMs: number[] } {
    return { logTon: [...this.logTon], walkedMs: [...this.walkedMs] };
  }

  get tonUsd(): number {
    return Math.exp(-this.logOf(usdtIndex));
  }

  tonOf(asset: Asset): number {
    return Math.exp(this.logOf(asset.index));
  }

  walk(asset: Asset, timeMs: number, random: Random): void {
    const { index, dailyVolatility, initialPriceTon } = asset;
    if (dailyVolatility === 0) return;
    const days = Math.min(Math.max(timeMs - (this.walkedMs[index] ?? timeMs), 0) / dayMs, stepDaysMax);
    const log = this.logOf(index);
    const pull = (Math.log(initialPriceTon) - log) * (days / returnDays);
    this.logTon[index] = log + pull + dailyVolatility * Math.sqrt(days) * random.normal();
    this.walkedMs[index] = timeMs;
  }

  /** A trade that moved its pool moves what people think the jetton is worth. */
  nudge(asset: Asset, logChange: number): void {
    if (asset.kind === 'jetton') this.logTon[asset.index] = this.logOf(asset.index) + logChange;
  }

  private logOf(index: number): number {
    const log = this.logTon[index];
    if (log === undefined) throw new RangeError(`there are ${this.assets.length} assets, not one of index ${index}`);
    return log;
  }
}
