import type { SortField } from '@jetton-analytics/common';
import { type AddressIndex, sortRuns } from './address-index.js';
import type { ListSource } from './list-source.js';
import { radixOrder } from './radix-order.js';

/** Doubles below this stand for one integer only. */
export const exactDoubleMax = 2 ** 53;
// Up to here the changed rows are sorted apart and merged in, beyond it the whole column is sorted again.
const mergedRowsMax = 512;

/** Orders two rows of one field: exact values, then addresses; missing values last. `sign` −1 turns the values around. */
export function rowComparator(
  source: ListSource,
  addresses: AddressIndex,
  field: SortField,
  sign: 1 | -1,
): (a: number, b: number) => number {
  const column = source.column(field);
  return (a, b) => {
    const left = column[a] ?? Number.NaN;
    const right = column[b] ?? Number.NaN;
    if (left < right) return -sign;
    if (left > right) return sign;
    const isLeftMissing = Number.isNaN(left);
    if (isLeftMissing !== Number.isNaN(right)) return isLeftMissing ? 1 : -1;
    const exact = isLeftMissing || Math.abs(left) < exactDoubleMax ? 0 : compareExact(source, field, a, b);
    return exact === 0 ? addresses.compare(a, b) : exact * sign;
  };
}

function compareExact(source: ListSource, field: SortField, a: number, b: number): number {
  const left = source.exact(field, a) ?? 0n;
  const right = source.exact(field, b) ?? 0n;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** All rows of a source in the order of one field, kept from one request to the next and brought up to date. */
export class SortedIndex {
  #revision = -1;
  #values: Float64Array = new Float64Array(0);
  #ascending: Uint32Array = new Uint32Array(0);
  #descending: Uint32Array | undefined;

  constructor(
    readonly source: ListSource,
    readonly addresses: AddressIndex,
    readonly field: SortField,
  ) {}

  /** Rows in ascending order, missing values last. `addresses` must be up to date. Not to be changed. */
  ascending(): Uint32Array {
    this.#update();
    return this.#ascending;
  }

  /** Rows in descending order, missing values last; equal values by address ascending here too. */
  descending(): Uint32Array {
    this.#update();
    this.#descending ??= this.#reversed();
    return this.#descending;
  }

  #update(): void {
    const { source, field } = this;
    if (source.revision === this.#revision && this.#values.length === source.size) return;
    const values = source.column(field).slice(0, source.size);
    const changed = changedRows(this.#values, values);
    const compare = rowComparator(source, this.addresses, field, 1);
    if (changed.length > mergedRowsMax) this.#ascending = radixOrder(values, this.addresses.order());
    else if (changed.length > 0) this.#ascending = merged(this.#ascending, changed, compare);
    // Exact values may have changed places where their doubles are equal.
    sortRuns(this.#ascending, values, compare, (value) => Math.abs(value) >= exactDoubleMax);
    this.#values = values;
    this.#descending = undefined;
    this.#revision = source.revision;
  }

  #reversed(): Uint32Array {
    const rows = this.#ascending;
    const reversed = new Uint32Array(rows.length);
    let present = rows.length;
    while (present > 0 && Number.isNaN(this.#values[rows[present - 1] ?? 0])) present -= 1;
    reversed.set(rows.subarray(present), present);
    let end = present;
    let target = 0;
    while (end > 0) {
      let start = end - 1;
      while (start > 0 && this.#isTie(rows[start - 1] ?? 0, rows[start] ?? 0)) start -= 1;
      for (let at = start; at < end; at += 1, target += 1) reversed[target] = rows[at] ?? 0;
      end = start;
    }
    return reversed;
  }

  #isTie(a: number, b: number): boolean {
    const value = this.#values[a] ?? 0;
    if (value !== this.#values[b]) return false;
    return Math.abs(value) < exactDoubleMax || this.source.exact(this.field, a) === this.source.exact(this.field, b);
  }
}

function changedRows(before: Float64Array, now: Float64Array): Uint32Array {
  const changed: number[] = [];
  for (let row = 0; row < now.length; row += 1) {
    const value = now[row] ?? 0;
    const old = before[row];
    // NaN is never equal to itself; a new row has no value before.
    if (value !== old && !(value !== value && old !== undefined && old !== old)) changed.push(row);
  }
  return Uint32Array.from(changed);
}

/** The order without the changed rows, and these merged in where they belong now. */
function merged(order: Uint32Array, changed: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
  const moved = new Set(changed);
  const kept = order.filter((row) => !moved.has(row));
  const added = changed.slice().sort(compare);
  const result = new Uint32Array(kept.length + added.length);
  let from = 0;
  let target = 0;
  for (const row of added) {
    // Found by halves: most of a hundred thousand rows need no comparison.
    const place = placeOf(kept, from, row, compare);
    result.set(kept.subarray(from, place), target);
    target += place - from;
    result[target] = row;
    target += 1;
    from = place;
  }
  result.set(kept.subarray(from), target);
  return result;
}

function placeOf(rows: Uint32Array, from: number, row: number, compare: (a: number, b: number) => number): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle] ?? 0, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
