import type { ListQuery, SortField } from '@jetton-analytics/common';
import { AddressIndex } from './address-index.js';
import { fold } from './fold.js';
import type { ListSource } from './list-source.js';
import { rangeTest } from './ranges.js';
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
   * it. `limit`, `cursor` and `currency` have no part in it. Source: decisions.md, "Filters and sorting".
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
    const candidates = this.#candidates(query);
    const test = matcher(source, query);
    const rows = new Uint32Array(candidates?.length ?? source.size);
    let count = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const row = candidates === undefined ? index : (candidates[index] ?? 0);
      if (!test(row)) continue;
      rows[count] = row;
      count += 1;
    }
    return rows.subarray(0, count);
  }

  /** The only rows worth a look; undefined: all. */
  #candidates({ address, search }: ListQuery): number[] | undefined {
    const named = address.length === 0 ? undefined : address.map((each) => this.#source.rowOf(each));
    const rows = named?.filter((row) => row !== undefined);
    if (search === undefined) return rows;
    const folded = fold(search);
    return rows?.filter((row) => this.#source.searchText(row).includes(folded)) ?? this.#names.search(folded);
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

/** The filters that are asked of each row, cheap ones first. */
function matcher(source: ListSource, query: ListQuery): (row: number) => boolean {
  const { excludeScam } = query;
  const verdicts = query.verification.length === 0 ? undefined : new Set(query.verification);
  const admins = query.admin.length === 0 ? undefined : new Set(query.admin);
  const isInRanges = rangeTest(source, query);
  return (row) => {
    if (!source.isRow(row)) return false;
    if (isInRanges !== undefined && !isInRanges(row)) return false;
    if (excludeScam || verdicts !== undefined) {
      const verdict = source.verification(row);
      if (excludeScam && verdict === 'JVS_SCAM') return false;
      if (verdicts !== undefined && !verdicts.has(verdict)) return false;
    }
    if (admins === undefined) return true;
    const admin = source.admin(row);
    return admin !== undefined && admins.has(admin);
  };
}

/** The matches in the order of all rows. */
function pick(all: Uint32Array, matches: Uint32Array, size: number): Uint32Array {
  if (matches.length === all.length) return all.slice();
  const isMatch = new Uint8Array(size);
  for (const row of matches) isMatch[row] = 1;
  const picked = new Uint32Array(matches.length);
  let count = 0;
  for (const row of all) {
    if (isMatch[row] === 0) continue;
    picked[count] = row;
    count += 1;
  }
  return picked;
}
