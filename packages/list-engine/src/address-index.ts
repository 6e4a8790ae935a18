import type { ListSource } from './list-source.js';
import { radixOrder } from './radix-order.js';

const rowsMin = 1_024;
const basechain = '0:';
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * What lists need of the addresses of a source: their order, and the way back from eight bytes of an account id to its
 * row. Rows keep their addresses, so only new rows are looked at. About 40 bytes a row.
 */
export class AddressIndex {
  readonly #source: ListSource;
  #known = 0;
  /** Orders like the addresses as far as it goes: 52 bits of the account id; other workchains lie beyond either end. */
  #keys = new Float64Array(rowsMin);
  #high = new Uint32Array(rowsMin);
  #low = new Uint32Array(rowsMin);
  #order: Uint32Array = new Uint32Array(0);
  readonly #rowsByHigh = new Map<number, number | number[]>();
  /** Rows that eight bytes do not name: of another workchain, or sharing them with another row. */
  readonly #unnamed = new Set<number>();
  readonly #otherChains = new Map<string, number>();

  constructor(source: ListSource) {
    this.#source = source;
  }

  /** Takes in the rows that are new. Called before anything else in a turn of the event loop. */
  update(): void {
    const { size } = this.#source;
    if (size === this.#known) return;
    this.#reach(size);
    for (let row = this.#known; row < size; row += 1) this.#add(row);
    this.#known = size;
    this.#order = new Uint32Array(0);
  }

  /** Negative where the address of row a comes before that of row b. */
  compare(a: number, b: number): number {
    const difference = (this.#keys[a] ?? 0) - (this.#keys[b] ?? 0);
    // Equal keys at either end give NaN or 0.
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
    return compareText(this.#source.address(a), this.#source.address(b));
  }

  /** All rows in the order of their addresses. */
  order(): Uint32Array {
    if (this.#order.length !== this.#known) {
      const rows = Uint32Array.from({ length: this.#known }, (_, row) => row);
      this.#order = sortRuns(radixOrder(this.#keys, rows), this.#keys, (a, b) => this.compare(a, b));
    }
    return this.#order;
  }

  /** Whether the eight bytes of `high` and `low` are enough to find the row again. */
  isNamed(row: number): boolean {
    return !this.#unnamed.has(row);
  }

  get hasUnnamed(): boolean {
    return this.#unnamed.size > 0;
  }

  /** The eight bytes of each row, one after another; those of an unnamed row say nothing. */
  prefixes(rows: Uint32Array): Uint8Array {
    const words = new Uint32Array(rows.length * 2);
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? 0;
      words[index * 2] = this.#high[row] ?? 0;
      words[index * 2 + 1] = this.#low[row] ?? 0;
    }
    const bytes = Buffer.from(words.buffer);
    return isLittleEndian ? bytes.swap32() : bytes;
  }

  /** The row whose account id begins with these eight bytes. */
  rowOf(high: number, low: number): number | undefined {
    const rows = this.#rowsByHigh.get(high);
    if (rows === undefined) return undefined;
    if (typeof rows === 'number') return this.#low[rows] === low ? rows : undefined;
    return rows.find((row) => this.#low[row] === low);
  }

  /** The row of an address, vanished or not. */
  rowOfAddress(address: string): number | undefined {
    if (!address.startsWith(basechain)) return this.#otherChains.get(address);
    const rows = this.#rowsByHigh.get(Number.parseInt(address.slice(2, 10), 16)) ?? [];
    return [rows].flat().find((row) => this.#source.address(row) === address);
  }

  #reach(size: number): void {
    if (size <= this.#keys.length) return;
    const length = Math.max(size, this.#keys.length * 2);
    const [keys, high, low] = [new Float64Array(length), new Uint32Array(length), new Uint32Array(length)];
    keys.set(this.#keys);
    high.set(this.#high);
    low.set(this.#low);
    [this.#keys, this.#high, this.#low] = [keys, high, low];
  }

  #add(row: number): void {
    const address = this.#source.address(row);
    if (!address.startsWith(basechain)) {
      this.#keys[row] = address.startsWith('-') ? -1 : Infinity;
      this.#unnamed.add(row);
      this.#otherChains.set(address, row);
      return;
    }
    const high = Number.parseInt(address.slice(2, 10), 16);
    const low = Number.parseInt(address.slice(10, 18), 16);
    this.#high[row] = high;
    this.#low[row] = low;
    this.#keys[row] = high * 2 ** 20 + (low >>> 12);
    const others = this.#rowsByHigh.get(high);
    if (others === undefined) {
      this.#rowsByHigh.set(high, row);
      return;
    }
    const all = typeof others === 'number' ? [others] : others;
    const twin = all.find((other) => this.#low[other] === low);
    if (twin !== undefined) this.#unnamed.add(twin).add(row);
    this.#rowsByHigh.set(high, [...all, row]);
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts every run of rows with equal keys in place; runs of one cost a comparison. */
export function sortRuns(
  rows: Uint32Array,
  keys: Float64Array,
  compare: (a: number, b: number) => number,
  isLoose: (key: number) => boolean = () => true,
): Uint32Array {
  let start = 0;
  while (start < rows.length) {
    const key = keys[rows[start] ?? 0] ?? Number.NaN;
    let end = start + 1;
    while (end < rows.length && keys[rows[end] ?? 0] === key) end += 1;
    if (end - start > 1 && isLoose(key)) rows.subarray(start, end).sort(compare);
    start = end;
  }
  return rows;
}
