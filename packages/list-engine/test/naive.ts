import type { ListQuery, Range, ScaledNumber, SortField } from '@jetton-analytics/common';
import { fieldDecimals } from '../src/list-source.js';
import { fold } from '../src/fold.js';
import type { TableRow } from './table.js';

/** docs/http-api.md, "Filters and sorting", word for word on plain objects: the addresses that match, in order. */
export function naiveOrder(rows: readonly TableRow[], query: ListQuery): string[] {
  return rows
    .filter((row) => row.isRow && matches(row, query))
    .sort((a, b) => compare(a, b, query))
    .map(({ address }) => address);
}

const whole = ({ min, max }: Range<bigint>): Range<ScaledNumber> => ({
  ...(min === undefined ? {} : { min: { value: min, decimals: 0 } }),
  ...(max === undefined ? {} : { max: { value: max, decimals: 0 } }),
});

function matches(row: TableRow, query: ListQuery): boolean {
  const { excludeScam, search, address, admin, verification, priceChangeTon } = query;
  if (excludeScam && row.verification === 'JVS_SCAM') return false;
  if (search !== undefined && ![row.name, row.symbol].some((text) => fold(text).includes(fold(search)))) return false;
  if (address.length > 0 && !address.includes(row.address)) return false;
  if (admin.length > 0 && !(row.admin !== undefined && admin.includes(row.admin))) return false;
  if (verification.length > 0 && !verification.includes(row.verification)) return false;
  return (
    isIn(row, 'tonPriceChangeHour', priceChangeTon.hour ?? {}) &&
    isIn(row, 'tonPriceChangeHour6', priceChangeTon.hour6 ?? {}) &&
    isIn(row, 'tonPriceChangeDay', priceChangeTon.day ?? {}) &&
    isIn(row, 'tonPriceChangeWeek', priceChangeTon.week ?? {}) &&
    isIn(row, 'liquidityUsd', query.liquidityUsd) &&
    isIn(row, 'fdmc', query.fdmc) &&
    isIn(row, 'trustScore', whole(query.trustScore)) &&
    isIn(row, 'holders', whole(query.holders))
  );
}

function isIn(row: TableRow, field: SortField, { min, max }: Range<ScaledNumber>): boolean {
  if (min === undefined && max === undefined) return true;
  const value = row.figures.get(field);
  if (value === undefined) return false;
  const scale = 10n ** BigInt(fieldDecimals[field]);
  const isBelow = (bound: ScaledNumber) => value * 10n ** BigInt(bound.decimals) < bound.value * scale;
  const isAbove = (bound: ScaledNumber) => value * 10n ** BigInt(bound.decimals) > bound.value * scale;
  return !(min !== undefined && isBelow(min)) && !(max !== undefined && isAbove(max));
}

function compare(a: TableRow, b: TableRow, { sort, order }: ListQuery): number {
  const [left, right] = [a.figures.get(sort), b.figures.get(sort)];
  if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
  if (left !== undefined && right !== undefined && left !== right) return left < right === (order === 'asc') ? -1 : 1;
  return a.address < b.address ? -1 : 1;
}
