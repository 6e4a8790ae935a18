import { nativeZeroAddress, wrappedNativeAddress, wrappedNativeV2Address } from './assets.js';

export interface Exchange {
  readonly project: string;
  readonly projectType: 'dex' | 'launchpad';
  readonly version: number;
  readonly nativeAddress: string;
  readonly feeBps: number;
  /** Share of a jetton's trades that it draws where both have a pool. */
  readonly share: number;
  readonly hasRouter: boolean;
}

/** Where the invented pools are; the names are those of real exchanges, as a consumer will meet them in `project`. */
export const exchanges: readonly Exchange[] = [
  exchange('ston.fi', 1, wrappedNativeAddress, 30, 1),
  exchange('dedust', 2, nativeZeroAddress, 25, 0.8, false),
  exchange('ston.fi_v2', 2, wrappedNativeV2Address, 20, 0.6),
  exchange('tonco', 1, wrappedNativeV2Address, 30, 0.3),
  exchange('coffee', 1, nativeZeroAddress, 25, 0.15, false),
];

export const launchpad: Exchange = {
  ...exchange('ton.fun', 1, nativeZeroAddress, 100, 1, false),
  projectType: 'launchpad',
};

function exchange(
  project: string,
  version: number,
  nativeAddress: string,
  feeBps: number,
  share: number,
  hasRouter = true,
): Exchange {
  return { project, projectType: 'dex', version, nativeAddress, feeBps, share, hasRouter };
}
