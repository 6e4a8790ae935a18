import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate, readMigrations } from '@jetton-analytics/clickhouse';
import { createDataSource } from '@jetton-analytics/postgres';

const migrationsFolder = new URL('../../../../packages/clickhouse/migrations/', import.meta.url);

/** Makes a database of ClickHouse by all migrations but the newest. */
export async function migrateButNewest(url: string, database: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jetton-analytics-migrations-'));
  try {
    const migrations = (await readMigrations()).slice(0, -1);
    await Promise.all(migrations.map(({ name }) => copyFile(new URL(name, migrationsFolder), join(folder, name))));
    const login = { CLICKHOUSE_URL: url, CLICKHOUSE_USER: 'default', CLICKHOUSE_PASSWORD: '' };
    const settings = { ...login, CLICKHOUSE_DATABASE: database, CLICKHOUSE_TIMEOUT_MS: 60_000 };
    await migrate(settings, pathToFileURL(`${folder}/`));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Takes the newest migration of a PostgreSQL database back. */
export async function undoNewest(databaseUrl: string): Promise<void> {
  const database = await createDataSource(databaseUrl, { application: 'system tests' }).initialize();
  try {
    await database.undoLastMigration();
  } finally {
    await database.destroy();
  }
}
