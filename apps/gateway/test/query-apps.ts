import type { HttpApp } from '@jetton-analytics/service';
import { SnapshotSeeder } from '../../../packages/read-model/test/seed-snapshots.js';
import { startMetrics } from '../../metrics/test/start-metrics.js';
import { startStatistics } from '../../statistics/test/start-statistics.js';
import { ownDatabase } from './own-database.js';
import { startGateway } from './start-gateway.js';

export const jetton = `0:${'a1'.repeat(32)}`;
export const pool = `0:${'c3'.repeat(32)}`;
const t = 1_760_000_000;

export interface WholeService {
  readonly url: string;
  readonly manager: Awaited<ReturnType<typeof ownDatabase>>['database']['manager'];
  /** One more gateway before the same apps. */
  gateway(env: Record<string, string>): Promise<string>;
  /** Drops the table of traded minutes, which the reads of history begin with. */
  loseHistory(): Promise<void>;
  close(): Promise<void>;
}

/** Both query apps over stores of the test run, with one jetton in one market, behind a gateway without limits. */
export async function wholeService(): Promise<WholeService> {
  const [seeder, { url: databaseUrl, database }] = await Promise.all([SnapshotSeeder.create(), ownDatabase()]);
  await seeder.term(1, 'wall');
  for (const step of ['short', 'mid', 'long'] as const) {
    const figures = { jettons: { [jetton]: 5 }, markets: { [`${jetton}|${pool}`]: 3 } };
    await seeder.snapshot({ term: 1, step, calculatedAt: t, sequence: 1, ...figures });
  }
  const settings = { ...seeder.settings, DATABASE_URL: databaseUrl };
  const [statistics, metrics] = await Promise.all([startStatistics(settings), startMetrics(settings)]);
  const gateways: HttpApp[] = [];
  const gateway = async (env: Record<string, string>) => {
    const urls = { STATISTICS_URL: statistics.url, METRICS_URL: metrics.url, DATABASE_URL: databaseUrl };
    const app = await startGateway({ ...urls, ...env });
    gateways.push(app);
    return (await app.listen()).url;
  };
  return {
    url: await gateway({}),
    manager: database.manager,
    gateway,
    loseHistory: () => seeder.loseHistory(),
    async close() {
      await Promise.all(gateways.map((app) => app.close()));
      await Promise.all([statistics.app.close(), metrics.app.close()]);
      await Promise.all([database.destroy(), seeder.close()]);
    },
  };
}
