import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';

type Database = ReturnType<typeof createDataSource>;

/** A migrated database of this spec alone in the shared server. */
export async function ownDatabase(): Promise<{ url: string; database: Database }> {
  const server = await sharedPostgres();
  const admin = await createDataSource(server.url, { application: 'spec' }).initialize();
  const name = uniqueName('gateway');
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(server.url);
  own.pathname = `/${name}`;
  const url = own.toString();
  await migrate(url);
  return { url, database: await createDataSource(url, { application: 'spec' }).initialize() };
}
