import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';

/** A migrated database of its own on the PostgreSQL of the test run; returns its address. */
export async function newPostgres(): Promise<string> {
  const { url } = await sharedPostgres();
  const name = uniqueName('aggregator');
  const admin = await createDataSource(url, { application: 'aggregator tests' }).initialize();
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate(own.toString());
  return own.toString();
}
