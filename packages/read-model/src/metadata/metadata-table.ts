import { fold } from '@jetton-analytics/list-engine';
import type { JettonMetadataRecord } from '../records/jetton-record.js';

/** What is known of a jetton from its metadata. */
export interface MetadataEntry {
  readonly record: JettonMetadataRecord;
  /** fold(name) + '\n' + fold(symbol). */
  readonly searchText: string;
  readonly decimals: number | undefined;
  /** Raw units. */
  readonly totalSupply: bigint | undefined;
  /** Whether the code is a standard minter's; undefined: not known. */
  readonly isStandardCode: boolean | undefined;
  readonly mintable: boolean | undefined;
  /** Unix seconds, as the next two. */
  readonly createdAt: number | undefined;
  readonly earliestUpdate: number | undefined;
  readonly earliestRecord: number;
}

const noRecord: JettonMetadataRecord = {
  name: '',
  symbol: '',
  description: undefined,
  image: undefined,
  offchainImage: undefined,
  offchainDescription: undefined,
  adminAddress: undefined,
  adminOffchainAddress: undefined,
  links: [],
  mintable: false,
  modifiedContract: false,
};

/** Of a jetton that only its trades are known of. */
export const noMetadata = {
  record: noRecord,
  searchText: '\n',
  decimals: undefined,
  totalSupply: undefined,
  isStandardCode: undefined,
  mintable: undefined,
  createdAt: undefined,
  earliestUpdate: undefined,
  earliestRecord: undefined,
} as const;

/** What a search looks in. Source: docs/http-api.md, "Filters and sorting". */
export const searchTextOf = (name: string, symbol: string): string => `${fold(name)}\n${fold(symbol)}`;

/** Metadata by jetton. */
export class MetadataTable {
  readonly #entries = new Map<string, MetadataEntry>();
  readonly #listeners: ((address: string) => void)[] = [];

  get size(): number {
    return this.#entries.size;
  }

  onChange(listener: (address: string) => void): void {
    this.#listeners.push(listener);
  }

  has(address: string): boolean {
    return this.#entries.has(address);
  }

  addresses(): Iterable<string> {
    return this.#entries.keys();
  }

  entry(address: string): MetadataEntry | undefined {
    return this.#entries.get(address);
  }

  set(address: string, entry: MetadataEntry): void {
    this.#entries.set(address, entry);
    for (const listener of this.#listeners) listener(address);
  }
}

/**
 * createdAt = created_at, else the least of the earliest update and the first trade, else the earliest record
 * timestamp, in Unix seconds. Source: docs/feed.md, "Metadata".
 */
export function createdAtOf(
  {
    createdAt,
    earliestUpdate,
    earliestRecord,
  }: Pick<MetadataEntry, 'createdAt' | 'earliestUpdate'> & { readonly earliestRecord: number | undefined },
  firstTrade: number | undefined,
): number | undefined {
  if (createdAt !== undefined) return createdAt;
  if (earliestUpdate === undefined) return firstTrade ?? earliestRecord;
  return firstTrade === undefined ? earliestUpdate : Math.min(earliestUpdate, firstTrade);
}
