import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@jetton-analytics/postgres';
import { Recomputation } from './src/oracle/recompute.js';
import { adversarialMarket } from './src/support/adversarial-market.js';
import { runProgram } from './src/support/app-process.js';
import { compareAll } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { chooseSeed } from './src/support/seed.js';
import { ServiceClient } from './src/support/service-client.js';

const market = adversarialMarket(chooseSeed(), 300);

/** What pods of the apps run before they start; resolves with what it said, rejects where it gave up. */
const waitForSchema = ({ env }: Deployment) =>
  runProgram('aggregator', '../../../infra/docker/wait-for-schema.mjs', { ...env, SCHEMA_WAIT_SECONDS: '0' }, [
    'clickhouse',
    'postgres',
  ]);

/** Every table of both stores has a column more, as after an expanding migration of a version that nobody here knows. */
async function expand(deployment: Deployment): Promise<void> {
  const tables = await deployment.clickhouse(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' FORMAT TSV",
  );
  for (const table of tables.trim().split('\n')) {
    await deployment.clickhouse(`ALTER TABLE ${table} ADD COLUMN of_a_newer_version UInt8 DEFAULT 1`);
  }
  await deployment.clickhouse(
    "INSERT INTO schema_migrations_v1 (version, name, checksum) VALUES (9999, '9999_add_column.sql', 'of another version')",
  );
  const url = deployment.env['DATABASE_URL'] ?? '';
  const postgres = await createDataSource(url, { application: 'system tests' }).initialize();
  try {
    const rows: { name: string }[] = await postgres.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'",
    );
    for (const { name } of rows) {
      await postgres.query(`ALTER TABLE "${name}" ADD COLUMN of_a_newer_version integer NOT NULL DEFAULT 1`);
    }
    await postgres.query(
      "INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'AddColumn9999999999999')",
    );
  } finally {
    await postgres.destroy();
  }
}

describe('a version on the schema of another, as while pods are replaced or after a rollback', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.prepare('schema');
  }, 120_000);
  afterAll(() => deployment?.stop(), 60_000);

  it('does not start on an older one: it waits for every migration that it knows, and names those that are missing', async () => {
    const newest = 'version = (SELECT max(version) FROM schema_migrations_v1)';
    const row = await deployment.clickhouse(`SELECT * FROM schema_migrations_v1 WHERE ${newest} FORMAT Values`);
    await deployment.clickhouse(`ALTER TABLE schema_migrations_v1 DELETE WHERE ${newest} SETTINGS mutations_sync = 1`);
    const [, name = ''] = /'(\d{4}_[^']+)'/.exec(row) ?? [];
    await expect(waitForSchema(deployment)).rejects.toThrow(`clickhouse waits for ${name}`);
    await deployment.clickhouse(`INSERT INTO schema_migrations_v1 VALUES ${row}`);
    await waitForSchema(deployment);
  }, 60_000);

  it('works on a newer one that was expanded: no wait, and figures as the recomputation has them', async () => {
    await deployment.explained(async () => {
      await expand(deployment);
      await waitForSchema(deployment);
      await deployment.startAggregator('event');
      const [statistics, metrics] = await Promise.all([
        deployment.startQueryApp('statistics'),
        deployment.startQueryApp('metrics'),
      ]);
      const client = await deployment.startGateway(statistics, metrics);
      await deployment.topic.produce(market.records);
      await client.caughtUp(await deployment.topic.recordCount(), { clock: 'event' });
      const { compared, differences } = await compareAll(
        new ServiceClient(statistics.url),
        new Recomputation(market.records),
        'served',
      );
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(10);
      expect((await client.get('/v1/jettons?limit=5')).status).toBe(200);
    });
  }, 180_000);
});
