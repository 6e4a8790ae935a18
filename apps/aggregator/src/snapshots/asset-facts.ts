import type { Assets } from '@jetton-analytics/feed';

/** Decimals of jettons and the other assets of pools, as they are known at a calculation. */
export interface AssetFacts {
  /** Decimals of a unified asset (statistics.md, "decimals of a jetton"). */
  decimalsOf(asset: string): number;
  /** The other asset of a pool as its newest state names it; undefined: only its legs tell. */
  counterpartOf(jetton: string, pool: string): string | undefined;
}

const decimalsWithoutMetadata = 9;

/** What the settings say alone: stables 6, native and LSDs 9, anything else 9. */
export function assetFactsOfSettings(assets: Assets): AssetFacts {
  return {
    decimalsOf: (asset) => assets.decimalsOf(asset) ?? decimalsWithoutMetadata,
    counterpartOf: () => undefined,
  };
}
