import { createDataSource, JettonMetadata, JettonMetadataMessage } from '@jetton-analytics/postgres';
import type { MetadataRow } from './merge-metadata.js';
import { mapMetadataError } from './metadata-errors.js';

type Database = ReturnType<typeof createDataSource>;
type Manager = Database['manager'];

/** A message as it is kept beside the row that rests on it. */
export type KeptMessage = Pick<JettonMetadataMessage, 'address' | 'recordMs' | 'valueHash' | 'value'>;

/** What is known of some jettons, locked until the transaction ends. */
export interface KnownMetadata {
  readonly rows: ReadonlyMap<string, JettonMetadata>;
  readonly messages: readonly KeptMessage[];
}

export interface MetadataChange {
  readonly rows: readonly MetadataRow[];
  readonly added: readonly KeptMessage[];
  readonly dropped: readonly KeptMessage[];
}

const connectionsMax = 4;
// The same lock as the trigger's: who holds it reads what nobody changes before the commit.
const lockWriters = `SELECT pg_advisory_xact_lock(hashtext('jetton_metadata_change_number'))`;

/** Reads and writes the metadata in PostgreSQL; connects with the first use and again after a failure. */
export class MetadataStore {
  readonly #database: Database;
  #connecting: Promise<unknown> | undefined;

  constructor(url: string, application: string) {
    this.#database = createDataSource(url, { application, connectionsMax });
  }

  /**
   * Reads what is known of the jettons, lets `change` decide, and writes that, in one transaction that no other writer
   * can get between. Rejects with MetadataUnavailableError, MetadataRefusedError or what `change` throws; nothing is
   * written then.
   */
  async change(addresses: readonly string[], change: (known: KnownMetadata) => MetadataChange): Promise<void> {
    // What `change` throws is its own affair; all else is PostgreSQL's.
    const decided: unknown[] = [];
    try {
      await this.#connect();
      await this.#database.transaction('READ COMMITTED', async (manager) => {
        await manager.query(lockWriters);
        const known = await read(manager, addresses);
        let changes: MetadataChange;
        try {
          changes = change(known);
        } catch (error) {
          decided.push(error);
          throw error;
        }
        await write(manager, changes);
      });
    } catch (error) {
      throw decided.includes(error) ? error : mapMetadataError(error);
    }
  }

  async ping(): Promise<void> {
    await this.#connect();
    await this.#database.query('SELECT 1');
  }

  async close(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    if (this.#database.isInitialized) await this.#database.destroy();
  }

  async #connect(): Promise<void> {
    if (this.#database.isInitialized) return;
    this.#connecting ??= this.#database.initialize();
    try {
      await this.#connecting;
    } finally {
      this.#connecting = undefined;
    }
  }
}

async function read(manager: Manager, addresses: readonly string[]): Promise<KnownMetadata> {
  const where = 'one.address = ANY(:addresses)';
  const rows = await manager.createQueryBuilder(JettonMetadata, 'one').where(where, { addresses }).getMany();
  const messages = await manager.createQueryBuilder(JettonMetadataMessage, 'one').where(where, { addresses }).getMany();
  return { rows: new Map(rows.map((row) => [row.address, row])), messages };
}

async function write(manager: Manager, { rows, added, dropped }: MetadataChange): Promise<void> {
  if (rows.length > 0) await manager.upsert(JettonMetadata, [...rows], ['address']);
  if (added.length > 0) {
    await manager
      .createQueryBuilder()
      .insert()
      .into(JettonMetadataMessage)
      .values([...added])
      .orIgnore()
      .execute();
  }
  if (dropped.length > 0) {
    await manager.query(
      `DELETE FROM jetton_metadata_messages AS kept
       USING unnest($1::text[], $2::bigint[], $3::text[]) AS gone (address, record_ms, value_hash)
       WHERE (kept.address, kept.record_ms, kept.value_hash) = (gone.address, gone.record_ms, gone.value_hash)`,
      [
        dropped.map(({ address }) => address),
        dropped.map(({ recordMs }) => recordMs),
        dropped.map(({ valueHash }) => valueHash),
      ],
    );
  }
}
