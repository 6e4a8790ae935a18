import { z } from 'zod';
import type { ChangeSource } from '../follow/change-numbers.js';
import type { PostgresReader } from '../stores/postgres-reader.js';
import { type MetadataEntry, searchTextOf } from './metadata-table.js';

const seconds = z.string().transform(Number).nullable();
const unknown = <T>(value: T | null): T | undefined => value ?? undefined;

export const MetadataRow = z.object({
  address: z.string(),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  decimals: z.int().min(0).max(255).nullable(),
  mintable: z.boolean().nullable(),
  admin: z.string().nullable(),
  code_hash: z.string().nullable(),
  total_supply: z.string().regex(/^\d+$/).transform(BigInt).nullable(),
  offchain_image: z.string().nullable(),
  offchain_description: z.string().nullable(),
  admin_offchain_address: z.string().nullable(),
  links: z.array(z.object({ name: z.string(), url: z.string(), type: z.string() })).nullable(),
  created_at_s: seconds,
  earliest_update_s: seconds,
  earliest_record_s: z.string().transform(Number),
  change_number: z.string().transform(BigInt),
});
export type MetadataRow = z.infer<typeof MetadataRow>;

const metadata = {
  name: 'metadata',
  sql: `SELECT ${Object.keys(MetadataRow.shape).join(', ')} FROM jetton_metadata
        WHERE change_number > $1 ORDER BY change_number LIMIT $2`,
  row: MetadataRow,
};

/** Reads a row; `standardCodeHashes` are lower-case hex. Unknown: name and symbol '', mintable and modifiedContract false. */
export function metadataEntry(row: MetadataRow, standardCodeHashes: ReadonlySet<string>): MetadataEntry {
  const { name, symbol } = { name: row.name ?? '', symbol: row.symbol ?? '' };
  const isStandardCode = row.code_hash === null ? undefined : standardCodeHashes.has(row.code_hash);
  return {
    record: {
      name,
      symbol,
      description: unknown(row.description),
      image: unknown(row.image),
      offchainImage: unknown(row.offchain_image),
      offchainDescription: unknown(row.offchain_description),
      adminAddress: unknown(row.admin),
      adminOffchainAddress: unknown(row.admin_offchain_address),
      links: row.links ?? [],
      mintable: row.mintable ?? false,
      modifiedContract: isStandardCode === false,
    },
    searchText: searchTextOf(name, symbol),
    decimals: unknown(row.decimals),
    totalSupply: unknown(row.total_supply),
    isStandardCode,
    mintable: unknown(row.mintable),
    createdAt: unknown(row.created_at_s),
    earliestUpdate: unknown(row.earliest_update_s),
    earliestRecord: row.earliest_record_s,
  };
}

/** The table of metadata. */
export function metadataSource(reader: PostgresReader): ChangeSource<{ changeNumber: bigint; row: MetadataRow }> {
  return {
    rowsAfter: async (changeNumber, rowsMax) => {
      const rows = await reader.query(metadata, [changeNumber.toString(), rowsMax]);
      return rows.map((row) => ({ changeNumber: row.change_number, row }));
    },
  };
}
