import { type ListQuery, type SortField, Verification } from '@jetton-analytics/common';
import { AddressIndex } from './address-index.js';
import { fold } from './fold.js';
import type { ListSource } from './list-source.js';
import { rowsInRanges } from './ranges.js';
import { SearchIndex } from './search-index.js';
import { rowComparator, SortedIndex } from './sorted-index.js';

// Below this a few comparisons are cheaper than a walk over all rows of a sorted column.
const sortedApartMax = 256;

/** Answers list queries over one source; keeps sorted columns and names from one to the next. */
export class ListIndex {
  readonly addresses: AddressIndex;
  readonly #source: ListSource;
  readonly #names: SearchIndex;
  readonly #sorted = new Map<SortField, SortedIndex>();

  constructor(source: ListSource) {
    this.#source = source;
    this.addresses = new AddressIndex(source);
    this.#names = new SearchIndex(source);
  }

  /**
   * All rows that match a query's filters, in its order: the whole of it, since a first page that has a next one pins
   * it. `limit`, `cursor` and `currency` have no part in it. Source: docs/http-api.md, "Filters and sorting".
   */
  orderRows(query: ListQuery): Uint32Array {
    this.addresses.update();
    const matches = this.#matches(query);
    if (matches.length <= sortedApartMax) {
      const sign = query.order === 'asc' ? 1 : -1;
      return matches.sort(rowComparator(this.#source, this.addresses, query.sort, sign));
    }
    const index = this.#sortedBy(query.sort);
    const all = query.order === 'asc' ? index.ascending() : index.descending();
    return pick(all, matches, this.#source.size);
  }

  #matches(query: ListQuery): Uint32Array {
    const source = this.#source;
    const candidates = rowsInRanges(source, query, this.#candidates(query));
    const test = verdictTest(source, query);
    const rows = new Uint32Array(candidates?.length ?? source.size);
    let count = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const row = candidates === undefined ? index : (candidates[index] ?? 0);
      if (!source.isRow(row) || !test(row)) continue;
      rows[count] = row;
      count += 1;
    }
    return rows.subarray(0, count);
  }

  /** The only rows worth a look; undefined: all. */
  #candidates({ address, search }: ListQuery): Uint32Array | undefined {
    const folded = search === undefined ? undefined : fold(search);
    if (address.length === 0) return folded === undefined ? undefined : this.#names.search(folded);
    const rows = address.map((each) => this.#source.rowOf(each)).filter((row) => row !== undefined);
    const isNamed = (row: number) => folded === undefined || this.#source.searchText(row).includes(folded);
    return Uint32Array.from(rows.filter((row) => isNamed(row)));
  }

  #sortedBy(field: SortField): SortedIndex {
    let index = this.#sorted.get(field);
    if (index === undefined) {
      index = new SortedIndex(this.#source, this.addresses, field);
      this.#sorted.set(field, index);
    }
    return index;
  }
}

/** The filters that are asked of each row by itself. */
function verdictTest(source: ListSource, { excludeScam, verification, admin }: ListQuery): (row: number) => boolean {
  const verdicts = new Set(verification.length === 0 ? Verification.options : verification);
  if (excludeScam) verdicts.delete('JVS_SCAM');
  const isAnyVerdict = verdicts.size === Verification.options.length;
  const admins = new Set<string | undefined>(admin);
  if (isAnyVerdict && admins.size === 0) return () => true;
  return (row) =>
    (isAnyVerdict || verdicts.has(source.verification(row))) && (admins.size === 0 || admins.has(source.admin(row)));
}

/** The matches in the order of all rows. */
function pick(all: Uint32Array, matches: Uint32Array, size: number): Uint32Array {
  if (matches.length === all.length) return all.slice();
  const isMatch = new Uint8Array(size);
  for (let index = 0; index < matches.length; index += 1) isMatch[matches[index] ?? 0] = 1;
  const picked = new Uint32Array(matches.length);
  let count = 0;
  for (let index = 0; index < all.length; index += 1) {
    const row = all[index] ?? 0;
    if (isMatch[row] === 0) continue;
    picked[count] = row;
    count += 1;
  }
  return picked;
}
