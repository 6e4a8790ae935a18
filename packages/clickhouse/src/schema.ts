import { z } from 'zod';
import type { ClickHouseReader } from './client.js';
import { defineQuery } from './definitions.js';
import { type Migration, MigrationChangedError, readMigrations } from './migrate.js';

const appliedMigrations = defineQuery({
  name: 'appliedMigrations',
  sql: 'SELECT version, checksum FROM schema_migrations_v1 FINAL',
  params: z.object({}),
  row: z.object({ version: z.int(), checksum: z.string() }),
});

/**
 * The migrations that an app cannot work without: all but the newest. A version of the service adds one at most, and its
 * code does without what that one adds until it is applied, so that version N runs on the schema of N-1.
 */
export function requiredOf<One>(migrations: readonly One[]): readonly One[] {
  return migrations.slice(0, -1);
}

/**
 * Names of the required migrations that are not applied yet, ascending. Throws MigrationChangedError where any known one
 * was applied with other content, and what the store throws, as while it has no schema at all.
 */
export async function missingMigrations(
  store: Pick<ClickHouseReader, 'query'>,
  known?: readonly Migration[],
): Promise<string[]> {
  const migrations = known ?? (await readMigrations());
  const rows = await store.query(appliedMigrations, {});
  const applied = new Map(rows.map(({ version, checksum }) => [version, checksum]));
  const changed = migrations.find(({ version, checksum }) => (applied.get(version) ?? checksum) !== checksum);
  if (changed !== undefined) {
    throw new MigrationChangedError(`${changed.name} was applied with other content than this version has`);
  }
  return requiredOf(migrations)
    .filter(({ version }) => !applied.has(version))
    .map(({ name }) => name);
}

/** Whether the migration of this number is applied. Throws what the store throws. */
export async function isApplied(store: Pick<ClickHouseReader, 'query'>, version: number): Promise<boolean> {
  return (await store.query(appliedMigrations, {})).some((row) => row.version === version);
}
