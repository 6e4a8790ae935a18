import { hash } from 'node:crypto';
import { type ListQuery, priceChangeWindows, type Range, type ScaledNumber } from '@jetton-analytics/common';
import { fold } from './fold.js';

/** Lists whose cursors can be exchanged: operations 4 and 5 share one family. */
export type ListFamily = 'jettons' | 'metrics' | 'stats';

/**
 * What a cursor is made for: family, filters, sort and order, as 32 hex digits. Limit, cursor and currency, the forms of
 * addresses and the order inside arrays have no part in it. Source: docs/http-api.md, "Paging".
 */
export function fingerprintOf(family: ListFamily, query: ListQuery): string {
  const parts = [
    family,
    query.sort,
    query.order,
    query.excludeScam,
    query.search === undefined ? null : fold(query.search),
    query.address.toSorted(),
    query.admin.toSorted(),
    query.verification.toSorted(),
    ...priceChangeWindows.map((window) => scaledTexts(query.priceChangeTon[window] ?? {})),
    scaledTexts(query.liquidityUsd),
    scaledTexts(query.fdmc),
    [query.trustScore.min?.toString(), query.trustScore.max?.toString()],
    [query.holders.min?.toString(), query.holders.max?.toString()],
  ];
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}

function scaledTexts({ min, max }: Range<ScaledNumber>): (string | undefined)[] {
  return [min, max].map((bound) => (bound === undefined ? undefined : canonicalText(bound)));
}

/** The same text for 1.5 and 1.50. */
function canonicalText({ value, decimals }: ScaledNumber): string {
  let [digits, scale] = [value, decimals];
  while (scale > 0 && digits % 10n === 0n) [digits, scale] = [digits / 10n, scale - 1];
  return `${digits}/${scale}`;
}
