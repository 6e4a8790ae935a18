import { createDataSource } from '@jetton-analytics/postgres';
import { z } from 'zod';

/** PostgreSQL did not answer now but may later. */
export class PostgresUnavailableError extends Error {
  override readonly name = 'PostgresUnavailableError';
}

/** A SELECT of PostgreSQL with its parameters ($1, $2, …) and its row. */
export interface PostgresQuery<Row extends z.ZodType> {
  readonly name: string;
  readonly sql: string;
  readonly row: Row;
}

/** Reads from PostgreSQL. Connects when first asked, and again when that did not work. */
export class PostgresReader {
  readonly #dataSource: ReturnType<typeof createDataSource>;
  #connecting: Promise<unknown> | undefined;

  constructor(url: string, { application }: { application: string }) {
    this.#dataSource = createDataSource(url, { application, connectionsMax: 2 });
  }

  /** All rows. Rejects with PostgresUnavailableError, or with ZodError for a row of another form. */
  async query<Row extends z.ZodType>(
    { name, sql, row }: PostgresQuery<Row>,
    params: readonly (string | number)[],
  ): Promise<z.output<Row>[]> {
    let rows: unknown[];
    try {
      await this.#connect();
      rows = await this.#dataSource.query<unknown[]>(sql, [...params]);
    } catch (error) {
      // A connection refused on every address comes as an AggregateError without a message.
      const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
      throw new PostgresUnavailableError(`${name}: ${reason}`, { cause: error });
    }
    return rows.map((one) => row.parse(one));
  }

  async close(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    if (this.#dataSource.isInitialized) await this.#dataSource.destroy();
  }

  async #connect(): Promise<void> {
    if (this.#dataSource.isInitialized) return;
    this.#connecting ??= this.#dataSource.initialize().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }
}
