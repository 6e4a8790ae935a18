import { type Assets, nativeAsset } from '@jetton-analytics/feed';
import { type AssetFacts, decimalsWithoutMetadata, type FactsChange, noChange } from '../snapshots/asset-facts.js';
import type { Market } from '../snapshots/market.js';

/** The unified assets of a pool; '' where its state does not name one. */
export interface PoolSides {
  readonly left: string;
  readonly right: string;
}

const isJetton = (asset: string) => asset !== '' && asset !== nativeAsset;

/** The decimals that metadata gives and the sides that pool states name, as they are known now. */
export class KnownFacts {
  readonly #decimals = new Map<string, number>();
  readonly #sides = new Map<string, PoolSides>();
  readonly #views = new Set<FactsView>();

  constructor(private readonly assets: Assets) {}

  /** `decimals` undefined: metadata does not tell. */
  setDecimals(asset: string, decimals: number | undefined): void {
    if (this.#decimals.get(asset) === decimals) return;
    if (decimals === undefined) this.#decimals.delete(asset);
    else this.#decimals.set(asset, decimals);
    for (const view of this.#views) view.pendingDecimals.set(asset, decimals);
  }

  setSides(pool: string, sides: PoolSides): void {
    const known = this.#sides.get(pool);
    if (known?.left === sides.left && known.right === sides.right) return;
    this.#sides.set(pool, sides);
    for (const view of this.#views) view.pendingSides.set(pool, sides);
  }

  /** What is known now, and on `advance` what will be. Released, it is told no more. */
  view(): AssetFacts & { release(): void } {
    const view = new FactsView(this.assets, this.#decimals, this.#sides, (one) => this.#views.delete(one));
    this.#views.add(view);
    return view;
  }
}

class FactsView implements AssetFacts {
  readonly #decimals: Map<string, number>;
  readonly #sides: Map<string, PoolSides>;
  /** At most one entry per asset and pool, however late it is asked. */
  pendingDecimals = new Map<string, number | undefined>();
  pendingSides = new Map<string, PoolSides>();

  constructor(
    private readonly assets: Assets,
    decimals: ReadonlyMap<string, number>,
    sides: ReadonlyMap<string, PoolSides>,
    private readonly onRelease: (view: FactsView) => void,
  ) {
    this.#decimals = new Map(decimals);
    this.#sides = new Map(sides);
  }

  decimalsOf(asset: string): number {
    return this.assets.decimalsOf(asset) ?? this.#decimals.get(asset) ?? decimalsWithoutMetadata;
  }

  counterpartOf(jetton: string, pool: string): string | undefined {
    const sides = this.#sides.get(pool);
    if (sides === undefined) return undefined;
    const other = sides.left === jetton ? sides.right : sides.right === jetton ? sides.left : '';
    return other === '' || other === jetton ? undefined : other;
  }

  marketsOf(pool: string): readonly Market[] {
    const { left = '', right = '' } = this.#sides.get(pool) ?? {};
    return [...new Set([left, right])].filter(isJetton).map((jetton) => ({ jetton, pool }));
  }

  pools(): Iterable<string> {
    return this.#sides.keys();
  }

  get hasNews(): boolean {
    return this.pendingDecimals.size > 0 || this.pendingSides.size > 0;
  }

  advance(): FactsChange {
    if (!this.hasNews) return noChange;
    const { pendingDecimals, pendingSides } = this;
    this.pendingDecimals = new Map();
    this.pendingSides = new Map();
    const assets = new Set<string>();
    for (const [asset, decimals] of pendingDecimals) {
      const before = this.decimalsOf(asset);
      if (decimals === undefined) this.#decimals.delete(asset);
      else this.#decimals.set(asset, decimals);
      if (this.decimalsOf(asset) !== before) assets.add(asset);
    }
    for (const [pool, sides] of pendingSides) this.#sides.set(pool, sides);
    return { assets, pools: new Set(pendingSides.keys()) };
  }

  release(): void {
    this.onRelease(this);
  }
}
