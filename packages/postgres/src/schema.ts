import type { DataSource } from 'typeorm';

/**
 * Names of the migrations that an app cannot work without and that are not applied yet: of all but the newest, which a
 * version adds and does without until it is applied, so that version N runs on the schema of N-1. Rejects with TypeORM's
 * QueryFailedError, as while there is no schema at all.
 */
export async function missingMigrations(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query('SELECT name FROM schema_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  const known = dataSource.migrations.map(({ constructor }) => constructor.name);
  return known.slice(0, -1).filter((name) => !applied.has(name));
}
