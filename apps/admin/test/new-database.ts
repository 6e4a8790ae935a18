import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';

/** A migrated database of its own on the PostgreSQL of the test run. */
export async function newDatabase(): Promise<{
  env: { DATABASE_URL: string };
  database: ReturnType<typeof createDataSource>;
}> {
  const { url } = await sharedPostgres();
  const name = uniqueName('admin');
  const server = await createDataSource(url, { application: 'admin tests', connectionsMax: 1 }).initialize();
  await server.query(`CREATE DATABASE "${name}"`);
  await server.destroy();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate(own.href);
  const database = await createDataSource(own.href, { application: 'admin tests', connectionsMax: 1 }).initialize();
  return { env: { DATABASE_URL: own.href }, database };
}
