import { fromUserFriendly } from './addresses.js';

/** What the settings say about assets and prices (docs/feed.md, "Quote assets"). Addresses are lower-case raw. */
export interface Assets {
  readonly native: ReadonlySet<string>;
  readonly stables: ReadonlySet<string>;
  readonly lsds: ReadonlySet<string>;
  /** Decimals by metadata, of jettons that are neither stable nor LSD; 9 where there is no entry. */
  readonly metadataDecimals: ReadonlyMap<string, number>;
  /** PRICE_MIN_TRADE_USD, × 10^18. */
  readonly priceMinTradeUsd: bigint;
}

const fromList = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/).map(fromUserFriendly));

export const defaultAssets: Assets = {
  native: new Set([
    `0:${'0'.repeat(64)}`,
    ...fromList(`
      EQCM3B12QK1e4yZSf8GtBRT0aLMNyEsBc_DhVfRRtOEffLez
      EQBnGWMCf3-FZZq1W4IWcWiGAc3PHuZ0_H-7sad2oY00o83S
      EQCajaUU1XXSAjTD-xOV7pE49fGtg4q8kF3ELCOJtGvQFQ2C
      EQDQoc5M3Bh8eWFephi9bClhevelbZZvWhkqdo80XuY_0qXv
      EQCUnExmdgwAKADi-j2KPKThyQqTc7U650cgM0g78UzZXn9J`),
  ]),
  stables: fromList(`
    EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs
    EQAIb6KmdfdDR7CN1GBqVJuP25iCnLKCvBlJ07Evuu2dzP5f
    EQBynBO23ywHy_CgarY9NK9FTz0yDsG82PtcbSTQgGoXwiuA
    EQB-MPwrd1G6WKNkLz_VnV6WqBDd142KMQv-g1O-8QUA3728`),
  lsds: fromList(`
    EQDNhy-nxYFgUqzfUzImBEP67JqsyMIcyk2S5_RwNNEYku0k
    EQC98_qAmNEptUtPc7W6xdHh_ZHrBUFpw5Ft_IzNU20QAJav`),
  metadataDecimals: new Map(),
  priceMinTradeUsd: 10n ** 18n,
};

/** `ton` for every form of the chain's own coin, else the address itself. */
export const assetOf = (address: string, { native }: Assets): string => (native.has(address) ? 'ton' : address);

export const isQuote = (asset: string, { stables, lsds }: Assets): boolean =>
  asset === 'ton' || stables.has(asset) || lsds.has(asset);

export function decimalsOf(asset: string, { stables, lsds, metadataDecimals }: Assets): number {
  if (asset === 'ton' || lsds.has(asset)) return 9;
  if (stables.has(asset)) return 6;
  return metadataDecimals.get(asset) ?? 9;
}
