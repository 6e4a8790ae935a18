import type { SortField } from '@jetton-analytics/common';
import { type AddressIndex, sortRuns } from './address-index.js';
import type { ListSource } from './list-source.js';
import { radixOrder } from './radix-order.js';

/** Doubles below this stand for one integer only. */
export const exactDoubleMax = 2 ** 53;
// Up to this part of the rows the changed ones are sorted apart and merged in, beyond it all are sorted again.
const mergedShareMax = 8;

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
  /** By row, as they were when the rows were put in order. */
  #values: Float64Array = new Float64Array(0);
  #marks: Uint8Array = new Uint8Array(0);
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
    const { source } = this;
    if (source.revision === this.#revision && this.#values.length === source.size) return;
    try {
      this.#order();
    } catch (error) {
      // What is kept may be half of it: the next one begins anew.
      this.#values = new Float64Array(0);
      throw error;
    }
    this.#descending = undefined;
    this.#revision = source.revision;
  }

  #order(): void {
    const { source, field } = this;
    const count = this.#takeValues();
    const [values, marks] = [this.#values, this.#marks];
    const compare = rowComparator(source, this.addresses, field, 1);
    if (count > values.length / mergedShareMax) this.#ascending = radixOrder(values, this.addresses.order());
    else if (count > 0) {
      const kept = rowsMarked(this.#ascending, marks, 0, values.length - count);
      const changed = radixOrder(values, rowsMarked(this.addresses.order(), marks, 1, count));
      this.#ascending = merged(kept, this.#sortedRuns(changed, values, compare), compare);
    }
    // Exact values may have changed places where their doubles are equal.
    this.#sortedRuns(this.#ascending, values, compare);
  }

  /**
   * Takes the values of now, marks the rows whose value is not the one from before, new rows among them, and counts those.
   * Where it can, in the arrays that are there: with a million rows they are nine megabytes.
   */
  #takeValues(): number {
    const { size } = this.source;
    const column = this.source.column(this.field);
    const before = this.#values;
    if (before.length !== size) {
      this.#values = column.slice(0, size);
      this.#marks = new Uint8Array(size);
    }
    const [values, marks] = [this.#values, this.#marks];
    let count = 0;
    for (let row = 0; row < size; row += 1) {
      const value = column[row] ?? Number.NaN;
      const old = before[row];
      // NaN alone is not equal to itself; a new row has no value before.
      const isSame = value === old || (Number.isNaN(value) && old !== undefined && Number.isNaN(old));
      marks[row] = isSame ? 0 : 1;
      if (isSame) continue;
      values[row] = value;
      count += 1;
    }
    return count;
  }

  /** Puts the rows in order whose doubles are equal but stand for more than one integer. */
  #sortedRuns(rows: Uint32Array, values: Float64Array, compare: (a: number, b: number) => number): Uint32Array {
    return sortRuns(rows, values, compare, (value) => Math.abs(value) >= exactDoubleMax);
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

/** The rows that are marked, or those that are not, in the order given. */
function rowsMarked(rows: Uint32Array, marks: Uint8Array, mark: 0 | 1, count: number): Uint32Array {
  const marked = new Uint32Array(count);
  let target = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] ?? 0;
    if (marks[row] !== mark) continue;
    marked[target] = row;
    target += 1;
  }
  return marked;
}

/** Two sorted lists of rows as one; the second is the short one. */
function merged(kept: Uint32Array, added: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
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
