import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clickhouseSettings, type ClickHouseSettings, migrate } from '@jetton-analytics/clickhouse';
import {
  answersHttp,
  freePort,
  type ManagedProcess,
  spawnNodeApp,
  startClickHouseLocal,
  startPostgres,
} from '@jetton-analytics/embedded';
import { createDataSource, createKey, migrate as migratePostgres, setPlan } from '@jetton-analytics/postgres';
import { z } from 'zod';
import { repositoryRoot } from './bench-stack.js';

export type Started = ManagedProcess & { readonly url: string; readonly readySeconds: number };

/** The stores and apps that answer reads, without a feed, in a folder that is removed at the end. */
export class ReadStack {
  readonly #stops: (() => Promise<void>)[] = [];

  private constructor(
    readonly folder: string,
    readonly settings: ClickHouseSettings,
    readonly postgresUrl: string,
    readonly clickhousePid: number,
  ) {}

  static async start(): Promise<ReadStack> {
    const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-bench-'));
    const engine = await startClickHouseLocal({
      repositoryRoot,
      dataDir: join(folder, 'clickhouse'),
      port: await freePort(),
      env: process.env,
      output: { file: join(folder, 'clickhouse.log') },
    });
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port: await freePort(), durable: false });
    const settings = z
      .object(clickhouseSettings)
      .parse({ CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'bench_read' });
    await migrate(settings);
    await migratePostgres(postgres.url);
    const stack = new ReadStack(folder, settings, postgres.url, engine.pid);
    stack.#stops.push(
      () => engine.stop(),
      () => postgres.stop(),
    );
    return stack;
  }

  /** A key of the plan business. Its limits and those of whoever has no key are raised: they count but do not refuse. */
  async businessKey(): Promise<string> {
    const database = await createDataSource(this.postgresUrl, { application: 'benchmark' }).initialize();
    const by = { by: 'benchmark', at: new Date() };
    const limits = { requestsPerSecond: 1_000_000, burst: 1_000_000, requestsPerDay: 2_000_000_000 };
    await setPlan(database.manager, { name: 'business', paid: true, ...limits, ...by });
    await setPlan(database.manager, { name: 'public', paid: false, ...limits, ...by });
    const { key } = await createKey(database.manager, { owner: 'benchmark', plan: 'business', ...by });
    await database.destroy();
    return key;
  }

  async script(
    name: string,
    script: string,
    env: NodeJS.ProcessEnv,
    { readyPath = '/readyz', readyTimeoutMs = 300_000 } = {},
  ): Promise<Started> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const began = performance.now();
    const app = await spawnNodeApp({
      name,
      script,
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        METRICS_PORT: '0',
        CLICKHOUSE_URL: this.settings.CLICKHOUSE_URL,
        CLICKHOUSE_DATABASE: this.settings.CLICKHOUSE_DATABASE,
        DATABASE_URL: this.postgresUrl,
        CURSOR_SECRET: 'of a benchmark, which signs nothing that lasts',
        ...env,
        PORT: String(port),
      },
      output: { file: join(this.folder, `${name}.log`) },
      readyWhen: () => answersHttp(`${url}${readyPath}`),
      readyTimeoutMs,
    });
    this.#stops.unshift(() => app.stop());
    return { ...app, url, readySeconds: (performance.now() - began) / 1_000 };
  }

  app(
    name: 'statistics' | 'metrics' | 'gateway',
    as: string,
    env: NodeJS.ProcessEnv,
    options?: { readyTimeoutMs: number },
  ): Promise<Started> {
    return this.script(as, join(repositoryRoot, 'apps', name, 'dist', 'main.js'), env, options);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
