import type { ListQuery, PriceChangeWindow, Range, ScaledNumber, SortField } from '@jetton-analytics/common';
import { fieldDecimals, type ListSource } from './list-source.js';
import { exactDoubleMax } from './sorted-index.js';

const priceChangeField: Readonly<Record<PriceChangeWindow, SortField>> = {
  hour: 'tonPriceChangeHour',
  hour6: 'tonPriceChangeHour6',
  day: 'tonPriceChangeDay',
  week: 'tonPriceChangeWeek',
};

/** An inclusive bound at the field's scale. */
interface Bound {
  readonly exact: bigint;
  readonly double: number;
}

interface FieldRange {
  readonly field: SortField;
  readonly column: Float64Array;
  readonly min: Bound | undefined;
  readonly max: Bound | undefined;
}

/**
 * Whether a row's figures lie within all ranges of a query, bounds included; a missing figure lies in none.
 * Undefined where the query has no range.
 */
export function rangeTest(source: ListSource, query: ListQuery): ((row: number) => boolean) | undefined {
  const ranges = fieldRanges(source, query);
  if (ranges.length === 0) return undefined;
  return (row) => {
    for (const range of ranges) if (!isWithin(source, range, row)) return false;
    return true;
  };
}

function fieldRanges(source: ListSource, query: ListQuery): FieldRange[] {
  const asScaled = ({ min, max }: Range<bigint>): Range<ScaledNumber> => ({
    ...(min === undefined ? {} : { min: { value: min, decimals: 0 } }),
    ...(max === undefined ? {} : { max: { value: max, decimals: 0 } }),
  });
  const asked: (readonly [SortField, Range<ScaledNumber>])[] = [
    ['liquidityUsd', query.liquidityUsd],
    ['fdmc', query.fdmc],
    ['trustScore', asScaled(query.trustScore)],
    ['holders', asScaled(query.holders)],
  ];
  for (const window of ['hour', 'hour6', 'day', 'week'] as const) {
    asked.push([priceChangeField[window], query.priceChangeTon[window] ?? {}]);
  }
  return asked
    .filter(([, { min, max }]) => min !== undefined || max !== undefined)
    .map(([field, { min, max }]) => ({
      field,
      column: source.column(field),
      min: min === undefined ? undefined : boundOf(ceilAt(min, fieldDecimals[field])),
      max: max === undefined ? undefined : boundOf(-ceilAt({ ...max, value: -max.value }, fieldDecimals[field])),
    }));
}

const boundOf = (exact: bigint): Bound => ({ exact, double: Number(exact) });

/** The least integer at the scale that is not below the number. */
function ceilAt({ value, decimals }: ScaledNumber, scale: number): bigint {
  if (decimals <= scale) return value * 10n ** BigInt(scale - decimals);
  const divisor = 10n ** BigInt(decimals - scale);
  // BigInt division cuts towards zero: down for what is above it.
  const quotient = value / divisor;
  return value > 0n && quotient * divisor !== value ? quotient + 1n : quotient;
}

function isWithin(source: ListSource, { field, column, min, max }: FieldRange, row: number): boolean {
  const value = column[row] ?? Number.NaN;
  if (Number.isNaN(value)) return false;
  if (min !== undefined) {
    if (value < min.double) return false;
    if (value === min.double && Math.abs(value) >= exactDoubleMax && (source.exact(field, row) ?? 0n) < min.exact) {
      return false;
    }
  }
  if (max !== undefined) {
    if (value > max.double) return false;
    if (value === max.double && Math.abs(value) >= exactDoubleMax && (source.exact(field, row) ?? 0n) > max.exact) {
      return false;
    }
  }
  return true;
}
