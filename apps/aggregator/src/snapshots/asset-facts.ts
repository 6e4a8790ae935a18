import type { Assets } from '@jetton-analytics/feed';
import type { Market } from './market.js';

/** What became known since the last look: assets with other decimals, pools with other sides. */
export interface FactsChange {
  readonly assets: ReadonlySet<string>;
  readonly pools: ReadonlySet<string>;
}

/**
 * Decimals of jettons and the other assets of pools. They stand still between two calls of `advance`, so that one
 * calculation uses one value throughout.
 */
export interface AssetFacts {
  /** Decimals of a unified asset (docs/statistics.md, "Words"). */
  decimalsOf(asset: string): number;
  /** The other asset of a pool as its newest state names it; undefined: only its legs tell. */
  counterpartOf(jetton: string, pool: string): string | undefined;
  /** The markets that the newest state of a pool names. */
  marketsOf(pool: string): readonly Market[];
  /** All pools with a known state. */
  pools(): Iterable<string>;
  /** Whether something has become known since the last call of `advance`. */
  readonly hasNews: boolean;
  /** Takes over what has become known, and says where it differs from before. */
  advance(): FactsChange;
}

/** Where calculations get their facts from. */
export interface FactSource {
  /** Resolves when everything was read once. */
  readonly ready: Promise<void>;
  /** A view of one calculation's own, to be given back when it is needed no more. */
  view(): AssetFacts & { release(): void };
}

export const decimalsWithoutMetadata = 9;

const nothing: ReadonlySet<string> = new Set();
export const noChange: FactsChange = { assets: nothing, pools: nothing };

/** What the settings say alone: stables 6, native and LSDs 9, anything else 9. */
export function assetFactsOfSettings(assets: Assets): AssetFacts {
  return {
    decimalsOf: (asset) => assets.decimalsOf(asset) ?? decimalsWithoutMetadata,
    counterpartOf: () => undefined,
    marketsOf: () => [],
    pools: () => [],
    hasNews: false,
    advance: () => noChange,
  };
}
