import { type SortField, type Verification, verificationAliases } from '@jetton-analytics/common';
import { trustScoreOf, type WindowA } from '@jetton-analytics/figures';
import type { SeededJetton, SeededWindow } from './seeded-market.js';

/** A jetton as seeded, and what lists must take of it: numbers at the scale they are seeded in, undefined: missing. */
export interface ListedJetton extends SeededJetton {
  readonly values: Readonly<Record<SortField, number | undefined>>;
  readonly verdict: Verification;
}

export const count = 27;
const createdFrom = 1_700_000_000;
const verdicts = ['JVS_VERIFIED', 'JVS_SCAM', 'JVS_APPROVED', 'JVS_NONE', 'JVS_COMMUNITY_VERIFIED'] as const;
export const admins = ['e1', 'e2', 'e3'].map((digits) => `0:${digits.repeat(32)}`);
export const aliasOfVerdict = Object.keys(verificationAliases)[0] ?? '';

const day = 86_400;
/** A permutation of 0 … 26 for each factor that is no multiple of 3. */
const place = (index: number, factor: number, offset = 0): number => (index * factor + offset) % count;

export const addressOf = (index: number): string => `0:${(place(index, 7, 3) + 16).toString(16).repeat(32)}`;

/** Percent by which the price in ton has changed; missing for every ninth jetton. */
const changes = {
  hour: (index: number) => (index % 9 === 4 ? undefined : place(index, 13) - 13),
  hour6: (index: number) => (index % 9 === 4 ? undefined : place(index, 14) - 13),
  day: (index: number) => (index % 9 === 4 ? undefined : place(index, 16) - 13),
  week: (index: number) => (index % 9 === 4 ? undefined : place(index, 17) - 13),
  month: (index: number) => (index % 9 === 4 ? undefined : place(index, 19) - 13),
};

function windowOf(index: number, window: WindowA, shift: number): SeededWindow {
  const changed = window in changes ? changes[window as keyof typeof changes](index) : undefined;
  const previous = 1_000_000_000;
  const now = previous + (changed ?? 0) * 10_000_000;
  const volume = place(index, 8, shift);
  return {
    transactionsBuy: [String(place(index, 10)), '1'],
    transactionsSell: ['1', '1'],
    traders: [String(Math.floor(place(index, 11) / 2)), '1'],
    tradersBuy: ['1', '1'],
    tradersSell: ['1', '1'],
    volumeUsdBuy: [`${volume}.25`, '1'],
    volumeUsdSell: ['0.5', '1'],
    volumeTonBuy: ['1', '1'],
    volumeTonSell: ['1', '1'],
    priceTon: [
      [String(now), 9],
      [changed === undefined ? '0' : String(previous), 9],
    ],
    priceUsd: [
      ['200000000000', 11],
      ['200000000000', 11],
    ],
    usdByDay: [],
  };
}

/**
 * 27 jettons that every sort field puts into another order, some with equal figures and some without one: the last is
 * known from metadata alone, the one before it from trades alone. `shift` moves the volumes and nothing else.
 */
export function listedJettons(atSeconds: number, shift = 0): ListedJetton[] {
  return Array.from({ length: count }, (_, index): ListedJetton => {
    const isTraded = index !== count - 1;
    const hasMetadata = index !== count - 2;
    const hasPool = index % 8 !== 7;
    const verdict = verdicts[index % verdicts.length] ?? 'JVS_NONE';
    const liquidityUsd = hasPool ? place(index, 4) * 1_000 : undefined;
    const createdAt = hasMetadata ? createdFrom + place(index, 2) * day : undefined;
    const supply = hasMetadata ? BigInt(place(index, 5) + 1) * 50_000_000_000n : undefined;
    const holders = Math.floor(place(index, 20) / 3);
    const traders24h = isTraded ? Math.floor(place(index, 11) / 2) : 0;
    const change = (window: keyof typeof changes) => (isTraded ? changes[window](index) : undefined);
    const { score } = trustScoreOf({
      verification: verdict,
      liquidityUsd: liquidityUsd === undefined ? undefined : { value: String(liquidityUsd * 1_000_000), decimals: 6 },
      holders: BigInt(holders),
      traders24h: BigInt(traders24h),
      atSeconds,
      createdAtSeconds: createdAt,
      isStandardCode: undefined,
      mintable: undefined,
      topTenBalances: 10n,
      circulatingSupply: supply ?? 1_000n,
    });
    return {
      address: addressOf(index),
      ...(isTraded && { windows: (window: WindowA) => windowOf(index, window, shift) }),
      ...(hasMetadata && {
        metadata: {
          name: index % 4 === 0 ? `Ærø Dawn ${index}` : `Coin number ${index}`,
          symbol: index % 5 === 0 ? 'ΣΊΣΥΦΟΣ' : `S${index}`,
          admin: admins[index % admins.length] ?? '',
          createdAt: createdAt ?? 0,
          totalSupply: String(supply),
        },
      }),
      ...(verdict !== 'JVS_NONE' && { verification: verdict }),
      ...(liquidityUsd !== undefined && {
        liquidityUsd: String(liquidityUsd),
        liquidityTon: `${place(index, 1, 9)}.5`,
      }),
      holders,
      verdict,
      values: {
        createdAt,
        fdmc: isTraded && hasMetadata ? (place(index, 5) + 1) * 100 : undefined,
        tvl: hasPool ? place(index, 1, 9) + 0.5 : undefined,
        liquidityUsd,
        trustScore: score,
        volume24h: isTraded ? place(index, 8, shift) + 0.75 : 0,
        holders,
        traders24h,
        transactions24h: isTraded ? place(index, 10) + 1 : 0,
        tonPriceChangeHour: change('hour'),
        tonPriceChangeHour6: change('hour6'),
        tonPriceChangeDay: change('day'),
        tonPriceChangeWeek: change('week'),
        tonPriceChangeMonth: change('month'),
      },
    };
  });
}

/** The order that docs/http-api.md asks for: missing last in either order, equal ones by raw address ascending. */
export function inOrder(jettons: readonly ListedJetton[], sort: SortField, order: 'asc' | 'desc'): string[] {
  const sign = order === 'asc' ? 1 : -1;
  return jettons
    .toSorted((a, b) => {
      const [left, right] = [a.values[sort], b.values[sort]];
      const byAddress = a.address < b.address ? -1 : 1;
      if (left === right) return byAddress;
      if (left === undefined) return 1;
      if (right === undefined) return -1;
      return sign * (left - right);
    })
    .map(({ address }) => address);
}
