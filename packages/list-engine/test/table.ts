import { type ListQuery, SortField, type Verification } from '@jetton-analytics/common';
import type { ListSource } from '../src/list-source.js';
import { fold } from '../src/fold.js';

export interface TableRow {
  readonly address: string;
  name: string;
  symbol: string;
  verification: Verification;
  admin: string | undefined;
  isRow: boolean;
  readonly figures: Map<SortField, bigint>;
}

/** A list source over plain objects, for specs and benchmarks: changed in place, then touched. */
export class Table implements ListSource {
  revision = 0;
  readonly #columns = new Map<SortField, Float64Array>(SortField.options.map((field) => [field, new Float64Array(0)]));
  readonly #rows = new Map<string, number>();
  #texts: string[] = [];

  constructor(readonly rows: TableRow[] = []) {
    this.touch();
  }

  get size(): number {
    return this.rows.length;
  }

  /** Takes in what was changed in `rows`; rows are only ever added at the end. */
  touch(): void {
    this.revision += 1;
    for (const field of SortField.options) {
      const values = this.rows.map(({ figures }) => {
        const exact = figures.get(field);
        return exact === undefined ? Number.NaN : Number(exact);
      });
      this.#columns.set(field, Float64Array.from(values));
    }
    this.rows.forEach(({ address }, row) => this.#rows.set(address, row));
    this.#texts = this.rows.map(({ name, symbol }) => `${fold(name)}\n${fold(symbol)}`);
  }

  isRow(row: number): boolean {
    return this.rows[row]?.isRow ?? false;
  }

  address(row: number): string {
    const address = this.rows[row]?.address;
    if (address === undefined) throw new RangeError(`no row ${row}`);
    return address;
  }

  rowOf(address: string): number | undefined {
    return this.#rows.get(address);
  }

  column(field: SortField): Float64Array {
    return this.#columns.get(field) ?? new Float64Array(0);
  }

  exact(field: SortField, row: number): bigint | undefined {
    return this.rows[row]?.figures.get(field);
  }

  verification(row: number): Verification {
    return this.rows[row]?.verification ?? 'JVS_NONE';
  }

  admin(row: number): string | undefined {
    return this.rows[row]?.admin;
  }

  searchText(row: number): string {
    return this.#texts[row] ?? '\n';
  }
}

export const anyQuery: ListQuery = {
  limit: 20,
  excludeScam: false,
  address: [],
  admin: [],
  verification: [],
  sort: 'createdAt',
  order: 'asc',
  priceChangeTon: {},
  liquidityUsd: {},
  fdmc: {},
  trustScore: {},
  holders: {},
  currency: 'ton',
};
