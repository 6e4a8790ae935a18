import { SortField } from '@jetton-analytics/common';

const capacityMin = 1_024;

/**
 * The figures that lists sort and filter by, one column of doubles per field, grown by doubling; NaN: missing. Exact
 * values that no double holds are kept beside.
 */
export class Columns {
  #capacity = capacityMin;
  readonly #columns = new Map<SortField, Float64Array>(
    SortField.options.map((field) => [field, new Float64Array(capacityMin).fill(Number.NaN)]),
  );
  readonly #beyondDouble = new Map<SortField, Map<number, bigint>>(
    SortField.options.map((field) => [field, new Map<number, bigint>()]),
  );

  /** Makes room for a row. */
  reach(row: number): void {
    if (row < this.#capacity) return;
    while (row >= this.#capacity) this.#capacity *= 2;
    for (const [field, column] of this.#columns) {
      const grown = new Float64Array(this.#capacity).fill(Number.NaN);
      grown.set(column);
      this.#columns.set(field, grown);
    }
  }

  column(field: SortField): Float64Array {
    const column = this.#columns.get(field);
    if (column === undefined) throw new RangeError(`no column ${field}`);
    return column;
  }

  exact(field: SortField, row: number): bigint | undefined {
    const value = this.column(field)[row];
    if (value === undefined || Number.isNaN(value)) return undefined;
    return Number.isSafeInteger(value) ? BigInt(value) : this.#beyondDouble.get(field)?.get(row);
  }

  /** `value` at the field's scale. Returns whether it is another one than before. */
  set(field: SortField, row: number, value: bigint | undefined): boolean {
    const column = this.column(field);
    const before = column[row];
    const rounded = value === undefined ? Number.NaN : Number(value);
    // A whole number that a double holds for certain is the value itself; the others are kept beside.
    const isHeld = value === undefined || Number.isSafeInteger(rounded);
    if (isHeld ? Object.is(before, rounded) : this.exact(field, row) === value) return false;
    column[row] = rounded;
    const beyond = this.#beyondDouble.get(field);
    if (isHeld) beyond?.delete(row);
    else if (value !== undefined) beyond?.set(row, value);
    return true;
  }

  clear(row: number): void {
    for (const field of SortField.options) this.set(field, row, undefined);
  }
}
