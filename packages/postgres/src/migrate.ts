import { createDataSource } from './data-source.js';

// Any number that only this step uses.
const migrationLock = 7_354_061;
const lockTimeoutMs = 60_000;
const statementTimeoutMs = 600_000;

/**
 * Applies the migrations that are missing, in order, each in a transaction; safe to run again and by several processes
 * at once, of which one works while the others wait up to a minute. Returns the names applied. Rejects with TypeORM's
 * QueryFailedError or with the connection's error.
 */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = createDataSource(url, {
    application: 'jetton-analytics migrate',
    connectionsMax: 2,
    statementTimeoutMs,
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query(`SET lock_timeout = ${lockTimeoutMs}`);
    await lock.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    return applied.map(({ name }) => name);
  } finally {
    // Ends the session and with it the lock.
    await lock.release();
    await dataSource.destroy();
  }
}
