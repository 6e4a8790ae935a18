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
 * The rows, of those given or of all, whose figures lie within all ranges of a query, bounds included; a missing figure
 * lies in none. Undefined stands for all rows.
 */
export function rowsInRanges(
  source: ListSource,
  query: ListQuery,
  rows: Uint32Array | undefined,
): Uint32Array | undefined {
  let left = rows;
  for (const range of fieldRanges(source, query)) left = rowsInRange(source, range, left);
  return left;
}

const asScaled = ({ min, max }: Range<bigint>): Range<ScaledNumber> => ({
  ...(min === undefined ? {} : { min: { value: min, decimals: 0 } }),
  ...(max === undefined ? {} : { max: { value: max, decimals: 0 } }),
});

function fieldRanges(source: ListSource, query: ListQuery): FieldRange[] {
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

/** One tight pass over a column: a few hundred microseconds for 100,000 rows. */
function rowsInRange(source: ListSource, range: FieldRange, rows: Uint32Array | undefined): Uint32Array {
  const { column } = range;
  const min = range.min?.double ?? -Infinity;
  const max = range.max?.double ?? Infinity;
  const count = rows?.length ?? source.size;
  const within = new Uint32Array(count);
  let found = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === undefined ? index : (rows[index] ?? 0);
    const value = column[row] ?? Number.NaN;
    // NaN, a missing figure, is on neither side of a bound.
    if (!(value >= min && value <= max)) continue;
    within[found] = row;
    found += 1;
  }
  const left = within.subarray(0, found);
  // Where a bound is the only integer of its double, doubles have told all.
  const isTold = [range.min, range.max].every((bound) => Math.abs(bound?.double ?? 0) < exactDoubleMax);
  return isTold ? left : left.filter((row) => isExactly(source, range, row));
}

/** Whether a row whose double is not beyond the bounds' doubles is not beyond the bounds themselves either. */
function isExactly(source: ListSource, { field, min, max }: FieldRange, row: number): boolean {
  const value = source.exact(field, row);
  if (value === undefined) return false;
  return (min === undefined || value >= min.exact) && (max === undefined || value <= max.exact);
}
