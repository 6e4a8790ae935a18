import type { SortField, Verification } from '@jetton-analytics/common';
import type { AmountText, TrustInputs } from '@jetton-analytics/figures';
import type { ListSource } from '@jetton-analytics/list-engine';
import { Columns } from '../list/columns.js';
import type { JettonRecord } from '../records/jetton-record.js';

const valueOf = (amount: AmountText | undefined): bigint | undefined => amount && BigInt(amount.value);

/**
 * The jettons known, in rows: what is shown of each, and the columns that lists are made from. A row stays its jetton's
 * when that vanishes; there are as many as jettons were ever known to this process.
 */
export class JettonRows implements ListSource {
  readonly #columns = new Columns();
  readonly #rows = new Map<string, number>();
  readonly #addresses: string[] = [];
  readonly #records: (JettonRecord | undefined)[] = [];
  readonly #searchTexts: string[] = [];
  /** What the trust score of a record was made from. */
  readonly #trustInputs: (TrustInputs | undefined)[] = [];
  #count = 0;
  #revision = 0;

  get size(): number {
    return this.#addresses.length;
  }

  /** Jettons known now. */
  get count(): number {
    return this.#count;
  }

  get revision(): number {
    return this.#revision;
  }

  isRow(row: number): boolean {
    return this.#records[row] !== undefined;
  }

  address(row: number): string {
    const address = this.#addresses[row];
    if (address === undefined) throw new RangeError(`no row ${row}`);
    return address;
  }

  rowOf(address: string): number | undefined {
    const row = this.#rows.get(address);
    return row === undefined || this.#records[row] === undefined ? undefined : row;
  }

  column(field: SortField): Float64Array {
    return this.#columns.column(field);
  }

  exact(field: SortField, row: number): bigint | undefined {
    return this.#columns.exact(field, row);
  }

  verification(row: number): Verification {
    return this.#records[row]?.verification ?? 'JVS_NONE';
  }

  admin(row: number): string | undefined {
    return this.#records[row]?.metadata.adminAddress;
  }

  searchText(row: number): string {
    return this.#searchTexts[row] ?? '\n';
  }

  record(row: number): JettonRecord | undefined {
    return this.#records[row];
  }

  trustInputs(row: number): TrustInputs | undefined {
    return this.#trustInputs[row];
  }

  /** The row of a jetton, a new one where it never had one. It is not shown before `show`. */
  take(address: string): number {
    const known = this.#rows.get(address);
    if (known !== undefined) return known;
    const row = this.#addresses.length;
    this.#rows.set(address, row);
    this.#addresses.push(address);
    this.#searchTexts.push('\n');
    this.#records.push(undefined);
    this.#trustInputs.push(undefined);
    this.#columns.reach(row);
    return row;
  }

  set(field: SortField, row: number, value: bigint | undefined): void {
    if (this.#columns.set(field, row, value)) this.#revision += 1;
  }

  /** The columns that a record fills. */
  setFigures(row: number, record: JettonRecord): void {
    this.set('createdAt', row, record.createdAt === undefined ? undefined : BigInt(record.createdAt));
    this.set('fdmc', row, valueOf(record.fdmc));
    this.set('tvl', row, valueOf(record.tvl));
    this.set('liquidityUsd', row, valueOf(record.liquidityUsd));
    this.set('trustScore', row, BigInt(record.trustScore));
    this.set('holders', row, record.holdersCount);
  }

  /** Shows another record. */
  show(row: number, record: JettonRecord, searchText: string, trustInputs: TrustInputs): void {
    if (this.#records[row] === undefined) this.#count += 1;
    this.#records[row] = record;
    this.#searchTexts[row] = searchText;
    this.#trustInputs[row] = trustInputs;
    this.#revision += 1;
  }

  /** Shows the jetton no longer. */
  hide(row: number): void {
    if (this.#records[row] === undefined) return;
    this.#records[row] = undefined;
    this.#searchTexts[row] = '\n';
    this.#trustInputs[row] = undefined;
    this.#columns.clear(row);
    this.#count -= 1;
    this.#revision += 1;
  }
}
