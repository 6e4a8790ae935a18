import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Recomputation } from './src/oracle/recompute.js';
import { sameInstant, timestampOf } from './src/oracle/windows.js';
import { adversarialMarket } from './src/support/adversarial-market.js';
import type { AppProcess } from './src/support/app-process.js';
import { compareAll } from './src/support/compare.js';
import { Deployment } from './src/support/deployment.js';
import { chooseSeed } from './src/support/seed.js';
import { ServiceClient } from './src/support/service-client.js';

const market = adversarialMarket(chooseSeed(), 800);
const recomputation = new Recomputation(market.records);
const half = Math.floor(market.records.length / 2);

describe('a ClickHouse that was lost (docs/kubernetes.md, backup and restore)', () => {
  let deployment: Deployment;
  let running: AppProcess[] = [];

  beforeAll(async () => {
    deployment = await Deployment.prepare('restore');
  }, 180_000);
  afterAll(() => deployment?.stop(), 60_000);

  const startApps = async (env: Record<string, string> = {}) => {
    const aggregator = await deployment.startAggregator('event', env);
    const statistics = await deployment.startQueryApp('statistics');
    running = [aggregator, statistics];
    return new ServiceClient(statistics.url);
  };
  const stopApps = async () => {
    for (const app of running.splice(0).toReversed()) await app.stop();
  };
  /** Waits for everything produced so far. */
  const caughtUp = async (client: ServiceClient, calculatedAt?: string) =>
    client.caughtUp(await deployment.topic.recordCount(), {
      clock: 'event',
      ...(calculatedAt !== undefined && { calculatedAt }),
    });
  const differences = async (client: ServiceClient) => {
    await caughtUp(client, timestampOf(market.t));
    const compared = await compareAll(client, recomputation, sameInstant(market.t));
    return { some: compared.compared > 20, differences: compared.differences };
  };

  it('put back from a backup, with the offsets set back, it has every figure to the digit', async () => {
    await deployment.explained(async () => {
      let client = await startApps();
      await deployment.topic.produce(market.records.slice(0, half));
      await caughtUp(client);
      await deployment.clickhouse(`BACKUP DATABASE ${deployment.name} TO Memory('${deployment.name}')`, 'default');
      await deployment.topic.produce(market.records.slice(half));
      await caughtUp(client);
      await stopApps();
      await deployment.clickhouse(`DROP DATABASE ${deployment.name} SYNC`, 'default');
      await deployment.clickhouse(`RESTORE DATABASE ${deployment.name} FROM Memory('${deployment.name}')`, 'default');
      await deployment.admin('offsets', 'reset', '--to', 'earliest', '--by', 'system test');
      client = await startApps();
      expect(await differences(client)).toEqual({ some: true, differences: [] });
      await stopApps();
    });
  }, 240_000);

  it('without a backup, tables made anew and another consumer group have every figure to the digit', async () => {
    await deployment.explained(async () => {
      await deployment.clickhouse(`DROP DATABASE ${deployment.name} SYNC`, 'default');
      await deployment.migrateClickHouse();
      const client = await startApps({ SOURCE_KAFKA_GROUP_ID: `${deployment.name}_2` });
      expect(await differences(client)).toEqual({ some: true, differences: [] });
      await stopApps();
    });
  }, 240_000);
});
