import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings as EngineSettings,
} from '@clickhouse/client';
import { carryContext, inChildSpan, isTracing, SpanKind } from '@jetton-analytics/tracing';
import { z } from 'zod';
import { clusterSettings, clusterStatement } from './cluster.js';
import type { BinaryQueryDefinition, CommandDefinition, InsertDefinition, QueryDefinition } from './definitions.js';
import { ClickHouseQueryError, mapClickHouseError } from './errors.js';
import { RowBinaryReader } from './row-binary-reader.js';
import type { ClickHouseSettings } from './settings.js';

export interface ConnectOptions {
  /** Shown in the server's logs. */
  readonly application: string;
  /**
   * Statements of different lanes do not wait for each other on the embedded engine; a real server ignores that. Those of
   * 'background' make way, on both, for the others of this program that run at the same time.
   */
  readonly lane?: 'read' | 'write' | 'snapshot' | 'background';
  /** Connections at most. */
  readonly connectionsMax?: number;
  /** Told of every statement that has ended, well or not: its name and the seconds until its answer, of `stream` until that began. */
  readonly onStatement?: ((name: string, seconds: number) => void) | undefined;
}

/** Reads; cannot insert. */
export interface ClickHouseReader {
  /** All rows. Throws ClickHouseUnavailableError (retry) or ClickHouseQueryError. */
  query<P extends z.ZodType, R extends z.ZodType>(
    definition: QueryDefinition<P, R>,
    params: z.input<P>,
  ): Promise<z.output<R>[]>;
  /** Rows in chunks as they arrive, for results too large for one array. */
  stream<P extends z.ZodType, R extends z.ZodType>(
    definition: QueryDefinition<P, R>,
    params: z.input<P>,
  ): AsyncIterable<z.output<R>[]>;
  /** All rows in RowBinary, to be read column by column: for very many rows, a tenth of the work of `query`. */
  binary<P extends z.ZodType>(definition: BinaryQueryDefinition<P>, params: z.input<P>): Promise<RowBinaryReader>;
  /** Throws ClickHouseUnavailableError while the server does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Reads and writes. Every method returns only after the server has acknowledged. */
export interface ClickHouseWriter extends ClickHouseReader {
  /** Runs a statement without a result. */
  command<P extends z.ZodType>(definition: CommandDefinition<P>, params: z.input<P>): Promise<void>;
  /** One INSERT; nothing is sent for no rows. */
  insert<R extends readonly unknown[]>(definition: InsertDefinition<R>, rows: readonly R[]): Promise<void>;
  /** One INSERT of rows in the format RowBinary (see RowBinaryWriter): for many rows, half the work of texts. */
  insertBinary(definition: InsertDefinition<readonly unknown[]>, rows: Buffer): Promise<void>;
}

// Exact numbers: nothing that may pass 2^53 leaves the server as a JSON number.
const exactJson: EngineSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_named_tuples_as_objects: 1,
};

// Every statement is idempotent by itself; the server's own deduplication loses rows under kill (docs/adr/0002).
const plainInserts: EngineSettings = {
  async_insert: 0,
  insert_deduplicate: 0,
  // Reads use FINAL: replacing rows within a block that is being written as well would be done twice.
  optimize_on_insert: 0,
  wait_end_of_query: 1,
  // A batch of old or late trades may lie on any number of days.
  max_partitions_per_insert_block: '0',
  // Rows go as arrays, and so do the tuples in them.
  input_format_json_named_tuples_as_objects: 0,
};

// A table of which every part of every day is merged is read in dozens of streams: each would set memory aside for as many
// keys as the same statement had found before.
const noForesight: EngineSettings = { collect_hash_table_stats_during_aggregation: 0 };

// A statement of the background stops between two blocks while another runs, each time for no longer than this: where others
// run all the time, and it has thousands of blocks, it gets on all the same.
const foreground: EngineSettings = { priority: '1' };
const background: EngineSettings = { priority: '2', low_priority_query_wait_time_ms: 20 };

function connect(settings: ClickHouseSettings, { application, lane, connectionsMax = 10 }: ConnectOptions) {
  return createClient({
    url: settings.CLICKHOUSE_URL,
    database: settings.CLICKHOUSE_DATABASE,
    username: settings.CLICKHOUSE_USER,
    password: settings.CLICKHOUSE_PASSWORD,
    application,
    // Errors are thrown to whoever can handle them; the client need not print them as well.
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: settings.CLICKHOUSE_TIMEOUT_MS,
    max_open_connections: connectionsMax,
    use_multipart_params_auto: true,
    clickhouse_settings: {
      ...exactJson,
      ...noForesight,
      ...(lane === 'background' ? background : foreground),
      ...(settings.CLICKHOUSE_CLUSTER !== undefined && clusterSettings),
      max_execution_time: Math.ceil(settings.CLICKHOUSE_TIMEOUT_MS / 1000),
    },
    ...(lane === undefined ? {} : { http_headers: { 'X-ClickHouse-Local-Lane': lane } }),
  });
}

function parseRow<R extends z.ZodType>(definition: QueryDefinition<z.ZodType, R>, row: unknown): z.output<R> {
  const parsed = definition.row.safeParse(row);
  if (parsed.success) return parsed.data;
  throw new ClickHouseQueryError(`${definition.name}: unexpected row: ${z.prettifyError(parsed.error)}`, 0);
}

/** Steps over the names and types that precede the rows. */
function checkColumns({ name, columns }: BinaryQueryDefinition<z.ZodType>, reader: RowBinaryReader): RowBinaryReader {
  const count = reader.length();
  const names = Array.from({ length: count }, () => reader.string());
  const types = Array.from({ length: count }, () => reader.string());
  const differs = count !== columns.length || columns.some(([as, type], at) => names[at] !== as || types[at] !== type);
  if (!differs) return reader;
  const found = names.map((as, at) => `${as} ${types[at]}`).join(', ');
  throw new ClickHouseQueryError(`${name}: unexpected columns: ${found}`, 0);
}

interface StatementHeaders {
  readonly http_headers?: Record<string, string>;
}

/**
 * Does a statement in a span of its own below the active one, whose server is told of it, and maps what the client throws.
 * The span has the statement's name: neither its text nor its parameters.
 */
function inStatementSpan<T>(name: string, run: (headers: StatementHeaders) => Promise<T>): Promise<T> {
  const options = () => ({
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'clickhouse', 'db.operation.name': name },
  });
  return inChildSpan(name, options, async () => {
    try {
      return await run(isTracing() ? { http_headers: carryContext() } : {});
    } catch (error) {
      throw mapClickHouseError(name, error);
    }
  });
}

class Connection implements ClickHouseWriter {
  readonly #client: ClickHouseClient;

  constructor(
    client: ClickHouseClient,
    /** A statement as the servers take it. */
    private readonly sqlOf: (sql: string) => string,
    private readonly onStatement: ConnectOptions['onStatement'],
  ) {
    this.#client = client;
  }

  query<P extends z.ZodType, R extends z.ZodType>(definition: QueryDefinition<P, R>, params: z.input<P>) {
    return this.#statement(definition.name, async (traced) => {
      const result = await this.#client.query({
        query: this.sqlOf(definition.sql),
        query_params: definition.params.parse(params) as Record<string, unknown>,
        format: 'JSONEachRow',
        ...traced,
      });
      const rows: z.output<R>[] = [];
      // As they arrive: to check very many at once would hold the thread.
      for await (const chunk of result.stream()) for (const row of chunk) rows.push(parseRow(definition, row.json()));
      return rows;
    });
  }

  async *stream<P extends z.ZodType, R extends z.ZodType>(definition: QueryDefinition<P, R>, params: z.input<P>) {
    const result = await this.#statement(definition.name, (traced) =>
      this.#client.query({
        query: this.sqlOf(definition.sql),
        query_params: definition.params.parse(params) as Record<string, unknown>,
        format: 'JSONEachRow',
        ...traced,
      }),
    );
    try {
      for await (const chunk of result.stream()) {
        yield chunk.map((row) => parseRow(definition, row.json()));
      }
    } catch (error) {
      throw mapClickHouseError(definition.name, error);
    }
  }

  binary<P extends z.ZodType>(definition: BinaryQueryDefinition<P>, params: z.input<P>) {
    return this.#statement(definition.name, async (traced) => {
      const { stream } = await this.#client.exec({
        query: `${this.sqlOf(definition.sql)} FORMAT RowBinaryWithNamesAndTypes`,
        query_params: definition.params.parse(params) as Record<string, unknown>,
        // Sent once it is whole: in this format a failure half-way could not be told from rows.
        clickhouse_settings: { wait_end_of_query: 1 },
        ...traced,
      });
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return checkColumns(definition, new RowBinaryReader(Buffer.concat(chunks)));
    });
  }

  command<P extends z.ZodType>(definition: CommandDefinition<P>, params: z.input<P>) {
    return this.#statement(definition.name, async (traced) => {
      await this.#client.command({
        query: this.sqlOf(definition.sql),
        query_params: definition.params.parse(params) as Record<string, unknown>,
        clickhouse_settings: plainInserts,
        ...traced,
      });
    });
  }

  async insert<R extends readonly unknown[]>(definition: InsertDefinition<R>, rows: readonly R[]) {
    if (rows.length === 0) return;
    await this.#statement(definition.name, (traced) =>
      this.#client.insert({
        table: definition.table,
        values: rows,
        columns: [...definition.columns] as [string, ...string[]],
        format: 'JSONCompactEachRow',
        clickhouse_settings: plainInserts,
        ...traced,
      }),
    );
  }

  async insertBinary({ name, table, columns }: InsertDefinition<readonly unknown[]>, rows: Buffer) {
    if (rows.length === 0) return;
    await this.#statement(name, async (traced) => {
      const { stream } = await this.#client.exec({
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`,
        values: Readable.from([rows]),
        clickhouse_settings: plainInserts,
        ...traced,
      });
      stream.resume();
      await finished(stream);
    });
  }

  async ping() {
    const answer = await this.#client.ping();
    if (!answer.success) throw mapClickHouseError('ping', answer.error);
  }

  async close() {
    await this.#client.close();
  }

  async #statement<T>(name: string, run: (headers: StatementHeaders) => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    try {
      return await inStatementSpan(name, run);
    } finally {
      this.onStatement?.(name, (performance.now() - startedMs) / 1_000);
    }
  }
}

/** Statements are written for one server; a cluster takes some of them otherwise. */
function sqlFor({ CLICKHOUSE_CLUSTER: name, CLICKHOUSE_DATABASE: database }: ClickHouseSettings) {
  return (sql: string) => (name === undefined ? sql : clusterStatement(sql, { name, database }));
}

/** Opens a connection pool that can only read. Connects lazily; throws nothing. */
export function createReader(settings: ClickHouseSettings, options: ConnectOptions): ClickHouseReader {
  return new Connection(connect(settings, options), sqlFor(settings), options.onStatement);
}

/** Opens a connection pool that can read and write. Connects lazily; throws nothing. */
export function createWriter(settings: ClickHouseSettings, options: ConnectOptions): ClickHouseWriter {
  return new Connection(connect(settings, options), sqlFor(settings), options.onStatement);
}
