/** The chain's own coin with all its wrapped forms, as one asset. */
export const nativeAsset = 'ton';

const nativeDecimals = 9;
const stableDecimals = 6;
const lsdDecimals = 9;

export interface AssetSettings {
  /** Raw lower-case addresses, as `feedSettings` leaves them. */
  readonly NATIVE_ADDRESSES: readonly string[];
  readonly STABLE_ADDRESSES: readonly string[];
  readonly LSD_ADDRESSES: readonly string[];
}

export interface Assets {
  readonly native: ReadonlySet<string>;
  /** In the order of the setting: the native price in usd is taken from the first one that has both prices. */
  readonly stables: readonly string[];
  readonly lsds: readonly string[];
  isNative(raw: string): boolean;
  isStable(raw: string): boolean;
  /** `ton` for native and its wrapped forms, any other address as it is. */
  unify(raw: string): string;
  /** Takes a unified asset: is it native, a stable or an LSD? */
  isQuote(unified: string): boolean;
  /** Takes a unified asset: native 9, a stable 6, an LSD 9, undefined where the settings do not say. */
  decimalsOf(unified: string): number | undefined;
}

/**
 * The quote assets of the settings. All addresses are raw and lower-case.
 * Throws an Error that names both settings when one address stands in two lists: its decimals would be undecided.
 */
export function createAssets(settings: AssetSettings): Assets {
  const native = new Set(settings.NATIVE_ADDRESSES);
  const stables = new Set(settings.STABLE_ADDRESSES);
  const lsds = new Set(settings.LSD_ADDRESSES);
  requireDisjoint('NATIVE_ADDRESSES', native, 'STABLE_ADDRESSES', stables);
  requireDisjoint('NATIVE_ADDRESSES', native, 'LSD_ADDRESSES', lsds);
  requireDisjoint('STABLE_ADDRESSES', stables, 'LSD_ADDRESSES', lsds);
  const decimals = new Map<string, number>([[nativeAsset, nativeDecimals]]);
  for (const stable of stables) decimals.set(stable, stableDecimals);
  for (const lsd of lsds) decimals.set(lsd, lsdDecimals);
  return {
    native,
    stables: [...stables],
    lsds: [...lsds],
    isNative: (raw) => native.has(raw),
    isStable: (raw) => stables.has(raw),
    unify: (raw) => (native.has(raw) ? nativeAsset : raw),
    isQuote: (unified) => decimals.has(unified),
    decimalsOf: (unified) => decimals.get(unified),
  };
}

function requireDisjoint(nameA: string, a: ReadonlySet<string>, nameB: string, b: ReadonlySet<string>): void {
  for (const address of b) {
    if (a.has(address)) throw new Error(`${nameB}: ${address} is also in ${nameA}; an address belongs to one list`);
  }
}
