import { createAssets } from '@jetton-analytics/feed';
import type { PoolState } from '../src/pools/pool-state.js';

/** A raw address whose account id repeats two hex digits. */
export const rawAddress = (hex: string): string => `0:${hex.repeat(32)}`;

export const stable = rawAddress('51');
export const otherStable = rawAddress('52');
export const lsd = rawAddress('61');
export const otherLsd = rawAddress('62');
export const nativeAddress = rawAddress('00');

/** Quote assets of the specs. */
export const assets = createAssets({
  NATIVE_ADDRESSES: [nativeAddress],
  STABLE_ADDRESSES: [stable, otherStable],
  LSD_ADDRESSES: [lsd, otherLsd],
});

/** A state of a pool between a jetton and native, with overrides. */
export const poolState = (overrides: Partial<PoolState> = {}): PoolState => ({
  pool: rawAddress('b0'),
  version: 1n,
  project: 'dedust',
  discoveredAt: 0,
  leftAsset: rawAddress('a1'),
  rightAsset: 'ton',
  reservesLeft: 1_000n,
  reservesRight: 2_000_000_000n,
  tvlUsd: undefined,
  tvlTon: undefined,
  lastUpdated: 1_700_000_000,
  isLiquid: undefined,
  ...overrides,
});
