import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { pollUntil } from '@jetton-analytics/testing';
import { Recomputation } from './src/oracle/recompute.js';
import { adversarialMarket } from './src/support/adversarial-market.js';
import { runProgram } from './src/support/app-process.js';
import { compareAll } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { chooseSeed } from './src/support/seed.js';
import { ServiceClient } from './src/support/service-client.js';

const market = adversarialMarket(chooseSeed(), 300);
const recomputation = new Recomputation(market.records);
const instant = (second: number) => `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`;
const lastHours = { from: instant(market.t - 3 * 3_600), to: instant(market.t + 60) };

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

async function differencesOf(statistics: ServiceClient): Promise<readonly string[]> {
  const { compared, differences } = await compareAll(statistics, recomputation, 'served');
  expect(compared).toBeGreaterThan(10);
  return differences;
}

/** Starts all apps and produces the market; returns the client of the statistics app once all is calculated. */
async function servesAllOf(deployment: Deployment): Promise<ServiceClient> {
  await deployment.startAggregator('event');
  const [statistics, metrics] = await Promise.all([
    deployment.startQueryApp('statistics'),
    deployment.startQueryApp('metrics'),
  ]);
  const client = await deployment.startGateway(statistics, metrics);
  await deployment.topic.produce(market.records);
  await client.caughtUp(await deployment.topic.recordCount(), { clock: 'event' });
  const compared = new ServiceClient(statistics.url);
  expect((await client.get('/v1/jettons?limit=5')).status).toBe(200);
  return compared;
}

const rebuild = (deployment: Deployment, { from, to }: { from: string; to: string }) =>
  deployment.admin('rebuild', '--from', from, '--to', to, '--by', 'ann');

describe('a version on the schema of another, as while pods are replaced or after a rollback', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.prepare('schema');
  }, 600_000);
  afterAll(() => deployment?.stop(), 180_000);

  it('waits for the migrations that its apps need, all but the newest, and names those that are missing', async () => {
    const versions = await deployment.clickhouse(
      'SELECT version FROM schema_migrations_v1 ORDER BY version FORMAT TSV',
    );
    const [newest = '', before = ''] = versions.trim().split('\n').toReversed();
    const rowOf = (version: string) =>
      deployment.clickhouse(`SELECT * FROM schema_migrations_v1 WHERE version = ${version} FORMAT Values`);
    const forget = (version: string) =>
      deployment.clickhouse(
        `ALTER TABLE schema_migrations_v1 DELETE WHERE version = ${version} SETTINGS mutations_sync = 1`,
      );
    const rows = [await rowOf(before), await rowOf(newest)];
    await forget(newest);
    await waitForSchema(deployment);
    await forget(before);
    const [, name = ''] = /'(\d{4}_[^']+)'/.exec(rows[0] ?? '') ?? [];
    await expect(waitForSchema(deployment)).rejects.toThrow(new RegExp(`clickhouse waits for ${name}\\s`));
    await deployment.clickhouse(`INSERT INTO schema_migrations_v1 VALUES ${rows.join(', ')}`);
    await waitForSchema(deployment);
  }, 600_000);

  it('works on a newer one that was expanded: no wait, and figures as the recomputation has them', async () => {
    await deployment.explained(async () => {
      await expand(deployment);
      await waitForSchema(deployment);
      expect(await differencesOf(await servesAllOf(deployment))).toEqual([]);
    });
  }, 600_000);
});

describe('a version on the schema of the one before, as while its migrations are still to come', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.prepare('behind', { isOneBehind: true });
  }, 600_000);
  afterAll(() => deployment?.stop(), 180_000);

  it('has figures as the recomputation has them, refuses what it cannot do yet, and does it once migrated, without a new start', async () => {
    await deployment.explained(async () => {
      await waitForSchema(deployment);
      const statistics = await servesAllOf(deployment);
      expect(await differencesOf(statistics)).toEqual([]);
      await expect(rebuild(deployment, lastHours)).rejects.toThrow('PostgreSQL are not up to date, run its migrations');
      await migrate(deployment.env['DATABASE_URL'] ?? '');
      await expect(rebuild(deployment, lastHours)).rejects.toThrow('ClickHouse are not up to date, run its migrations');
      await runProgram('aggregator', 'migrate.js', deployment.env);

      // Buckets that no trade has touched are read again once a rebuild has finished, of whatever: so it is noticed.
      await deployment.clickhouse(
        `INSERT INTO jetton_trades_per_minute_v1
         SELECT * REPLACE (transactions_buy + 7 AS transactions_buy, version + 1 AS version)
         FROM jetton_trades_per_minute_v1 FINAL WHERE minute >= parseDateTimeBestEffort('${lastHours.from}')`,
      );
      expect(await differencesOf(statistics)).toEqual([]);
      await rebuild(deployment, { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' });
      await pollUntil(async () => (await differencesOf(statistics)).length > 0, { what: 'figures of spoilt buckets' });
      await rebuild(deployment, lastHours);
      await pollUntil(async () => (await differencesOf(statistics)).length === 0, {
        what: 'figures of mended buckets',
      });
    });
  }, 600_000);
});
