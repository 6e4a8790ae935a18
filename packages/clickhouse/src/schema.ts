import { z } from 'zod';
import type { ClickHouseReader } from './client.js';
import { defineQuery } from './definitions.js';
import { MigrationChangedError, readMigrations } from './migrate.js';

const appliedMigrations = defineQuery({
  name: 'appliedMigrations',
  sql: 'SELECT version, checksum FROM schema_migrations_v1 FINAL',
  params: z.object({}),
  row: z.object({ version: z.int(), checksum: z.string() }),
});

/**
 * Names of the migrations that an app cannot work without and that are not applied yet, ascending: of all but the newest.
 * A version of the service adds one at most, and its code does without what that one adds until it is applied, so that
 * version N runs on the schema of N-1. Throws MigrationChangedError where any known one was applied with other content,
 * and what the store throws, as while it has no schema at all.
 */
export async function missingMigrations(store: Pick<ClickHouseReader, 'query'>): Promise<string[]> {
  const migrations = await readMigrations();
  const rows = await store.query(appliedMigrations, {});
  const applied = new Map(rows.map(({ version, checksum }) => [version, checksum]));
  const changed = migrations.find(({ version, checksum }) => (applied.get(version) ?? checksum) !== checksum);
  if (changed !== undefined) {
    throw new MigrationChangedError(`${changed.name} was applied with other content than this version has`);
  }
  return migrations
    .slice(0, -1)
    .filter(({ version }) => !applied.has(version))
    .map(({ name }) => name);
}

/** Whether the migration of this number is applied. Throws what the store throws. */
export async function isApplied(store: Pick<ClickHouseReader, 'query'>, version: number): Promise<boolean> {
  return (await store.query(appliedMigrations, {})).some((row) => row.version === version);
}
