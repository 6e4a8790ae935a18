import type { Asset } from './assets.js';
import type { Random } from './random.js';

const balancesMax = 25_000;
const startTrackingChance = 0.2;
const keyBase = 1_000_000;

/** Who holds how much, for as many pairs of jetton and trader as fit; the others are never told. */
export class Balances {
  private readonly byKey: Map<number, bigint>;

  constructor(entries: readonly (readonly [number, string])[] = []) {
    this.byKey = new Map(entries.map(([key, raw]) => [key, BigInt(raw)]));
  }

  state(): [number, string][] {
    return Array.from(this.byKey, ([key, raw]) => [key, String(raw)]);
  }

  begin(asset: Asset, trader: number, raw: bigint): boolean {
    const key = asset.index * keyBase + trader;
    if (this.byKey.size >= balancesMax || this.byKey.has(key)) return false;
    this.byKey.set(key, raw);
    return true;
  }

  /** The new balance after a trade, never below 0; undefined where this one is not followed. */
  change(asset: Asset, trader: number, delta: bigint, random: Random): bigint | undefined {
    if (asset.kind === 'native') return undefined;
    const known = this.byKey.get(asset.index * keyBase + trader);
    if (known === undefined) {
      if (this.byKey.size >= balancesMax || !random.chance(startTrackingChance)) return undefined;
      const size = delta < 0n ? -delta : delta;
      const before = BigInt(Math.floor(Number(size) * random.logBetween(1.1, 30)));
      return random.chance(startTrackingChance) && this.begin(asset, trader, before + delta)
        ? before + delta
        : undefined;
    }
    const after = known + delta > 0n ? known + delta : 0n;
    this.byKey.set(asset.index * keyBase + trader, after);
    return after;
  }
}
