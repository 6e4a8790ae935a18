import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { clusterMigration, clusterSettings } from './cluster.js';
import { mapClickHouseError } from './errors.js';
import type { ClickHouseSettings } from './settings.js';

const migrationsFolder = new URL('../migrations/', import.meta.url);

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** A migration that was already applied reads differently now: an applied file is never edited. */
export class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';
}

/** Splits a file at the semicolons that end a line and drops comment lines, so that comments may hold anything. */
export function statementsOf(sql: string): string[] {
  return sql
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The numbered files, ascending. Throws where a name has another form or a number occurs twice. */
export async function readMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const match = /^(\d{4})_[a-z0-9]+(_[a-z0-9]+)+\.sql$/.exec(name);
      if (match === null) throw new Error(`${name}: a migration is named NNNN_verb_object.sql`);
      const sql = await readFile(new URL(name, folder), 'utf8');
      return {
        version: Number(match[1]),
        name,
        checksum: createHash('sha256').update(sql).digest('hex'),
        statements: statementsOf(sql),
      };
    }),
  );
  const versions = migrations.map((migration) => migration.version);
  if (new Set(versions).size !== versions.length) throw new Error('two migrations have the same number');
  return migrations;
}

const createMigrations = `CREATE TABLE IF NOT EXISTS schema_migrations_v1
  (version UInt32, name String, checksum String, applied_at DateTime('UTC') DEFAULT now())
  ENGINE = ReplacingMergeTree ORDER BY version`;

async function applied(client: ClickHouseClient): Promise<Map<number, string>> {
  const result = await client.query({
    query: 'SELECT version, checksum FROM schema_migrations_v1 FINAL',
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ version: number; checksum: string }>();
  return new Map(rows.map((row) => [row.version, row.checksum]));
}

/**
 * Creates the database, on every node of a cluster, and applies the migrations that are missing, in order; safe to run again. Every statement is
 * idempotent, so a run that was killed half-way is healed by the next one. Returns the names applied. Throws
 * MigrationChangedError, ClickHouseUnavailableError or ClickHouseQueryError.
 */
export async function migrate(settings: ClickHouseSettings, folder?: URL): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const { CLICKHOUSE_CLUSTER: name, CLICKHOUSE_DATABASE: database } = settings;
  const cluster = name === undefined ? undefined : { name, database };
  const statementsFor = (statement: string) => (cluster ? clusterMigration(statement, cluster) : [statement]);
  const login = {
    url: settings.CLICKHOUSE_URL,
    username: settings.CLICKHOUSE_USER,
    password: settings.CLICKHOUSE_PASSWORD,
    application: 'jetton-analytics migrate',
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: settings.CLICKHOUSE_TIMEOUT_MS,
    ...(cluster && { clickhouse_settings: clusterSettings }),
  };
  const bootstrap = createClient(login);
  const client = createClient({ ...login, database: settings.CLICKHOUSE_DATABASE });
  try {
    const on = cluster === undefined ? '' : ` ON CLUSTER \`${cluster.name}\``;
    await bootstrap.command({ query: `CREATE DATABASE IF NOT EXISTS \`${settings.CLICKHOUSE_DATABASE}\`${on}` });
    for (const query of statementsFor(createMigrations)) await client.command({ query });
    const known = await applied(client);
    const names: string[] = [];
    for (const migration of migrations) {
      const checksum = known.get(migration.version);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined) {
        throw new MigrationChangedError(
          `${migration.name} was applied with other content: restore it and add a new file`,
        );
      }
      for (const query of migration.statements.flatMap(statementsFor)) await client.command({ query });
      await client.insert({
        table: 'schema_migrations_v1',
        values: [{ version: migration.version, name: migration.name, checksum: migration.checksum }],
        format: 'JSONEachRow',
      });
      names.push(migration.name);
    }
    return names;
  } catch (error) {
    throw error instanceof MigrationChangedError ? error : mapClickHouseError('migrate', error);
  } finally {
    await Promise.all([bootstrap.close(), client.close()]);
  }
}
