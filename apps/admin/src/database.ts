import { createDataSource } from '@jetton-analytics/postgres';
import { loadSettings } from '@jetton-analytics/service/process';
import { PostgresEnv } from './env.js';
import type { Session } from './session.js';

export type Database = ReturnType<typeof createDataSource>;

/** Connects to PostgreSQL for the time of the work; a statement gets ten seconds. */
export async function withDatabase<T>(session: Session, work: (database: Database) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = loadSettings(PostgresEnv, session.env);
  const database = createDataSource(DATABASE_URL, { application: 'jetton-analytics admin', connectionsMax: 2 });
  await database.initialize();
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
