import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  clickhouseSettings,
  type ClickHouseSettings,
  createWriter,
  defineCommand,
  migrate,
} from '@jetton-analytics/clickhouse';
import { embeddedFeedTopics, ownTopics, rollupTopics } from '@jetton-analytics/common';
import {
  answersHttp,
  freePort,
  type ManagedProcess,
  spawnNodeApp,
  startClickHouseLocal,
  startKafka,
  startPostgres,
} from '@jetton-analytics/embedded';
import { createKafka, ensureTopics, type KafkaLogger } from '@jetton-analytics/kafka';
import { migrate as migratePostgres } from '@jetton-analytics/postgres';
import type { Kafka } from 'kafkajs';
import { z } from 'zod';

export const repositoryRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const partitions = 4;

export const quiet: KafkaLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => console.error(message, fields),
};

type AppName = 'aggregator' | 'statistics' | 'metrics' | 'gateway';

export interface BenchApp extends ManagedProcess {
  readonly url: string;
  /** Its Prometheus metrics. */
  readonly metricsUrl: string;
}

/** A real broker and the real engine for one run, in a folder that is removed at the end. */
export class BenchStack {
  readonly #stops: (() => Promise<void>)[] = [];

  private constructor(
    readonly folder: string,
    readonly brokers: readonly string[],
    readonly kafkaPid: number,
    readonly clickhouseUrl: string,
    readonly clickhousePid: number,
    readonly postgresUrl: string,
    readonly postgresPid: number,
    readonly kafka: Kafka,
  ) {}

  static async start(): Promise<BenchStack> {
    const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-bench-'));
    const broker = await startKafka({
      dataDir: join(folder, 'kafka'),
      cacheDir: join(repositoryRoot, '.cache'),
      port: await freePort(),
    });
    const engine = await startClickHouseLocal({
      repositoryRoot,
      dataDir: join(folder, 'clickhouse'),
      port: await freePort(),
      env: process.env,
      output: { file: join(folder, 'clickhouse.log') },
    });
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port: await freePort() });
    await migratePostgres(postgres.url);
    const kafka = createKafka({ prefix: 'KAFKA_', brokers: broker.brokers, clientId: 'benchmark' }, quiet);
    const stack = new BenchStack(
      folder,
      broker.brokers,
      broker.pid,
      engine.url,
      engine.pid,
      postgres.url,
      postgres.pid,
      kafka,
    );
    stack.#stops.push(
      () => engine.stop(),
      () => broker.stop(),
      () => postgres.stop(),
    );
    return stack;
  }

  /** A database with the service's tables. */
  async database(name: string): Promise<ClickHouseSettings> {
    const settings = z
      .object(clickhouseSettings)
      .parse({ CLICKHOUSE_URL: this.clickhouseUrl, CLICKHOUSE_DATABASE: name });
    await migrate(settings);
    return settings;
  }

  /** Removes a database with all that is in it: the engine merges parts of idle ones too. */
  async dropDatabase(settings: ClickHouseSettings): Promise<void> {
    const writer = createWriter(settings, { application: 'benchmark', lane: 'write' });
    const sql = `DROP DATABASE ${settings.CLICKHOUSE_DATABASE} SYNC`;
    await writer.command(defineCommand({ name: 'dropDatabase', sql, params: z.object({}) }), {});
    await writer.close();
  }

  /** The environment of apps that use names of their own: topics, database and group begin with `name`. */
  environment(name: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return {
      // What is measured ends with the rollups; ROLLUP_TOPICS=on measures their publication too.
      ROLLUP_TOPICS: 'off',
      ...process.env,
      HOST: '127.0.0.1',
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
      KAFKA_BROKERS: this.brokers.join(','),
      CLICKHOUSE_URL: this.clickhouseUrl,
      CLICKHOUSE_DATABASE: name,
      DATABASE_URL: this.postgresUrl,
      CURSOR_SECRET: 'of a benchmark, which signs nothing that lasts',
      SOURCE_KAFKA_GROUP_ID: name,
      ...topicSettings(name),
      ...extra,
    };
  }

  /** Creates the topics that {@link environment} names; returns that of the trades. */
  async topics(name: string): Promise<string> {
    const names = topicSettings(name);
    const feed = [names.DEX_TRADES_TOPIC, names.DEX_POOLS_TOPIC, names.JETTON_METADATA_TOPIC, names.BALANCES_TOPIC];
    const admin = this.kafka.admin();
    await admin.connect();
    try {
      await ensureTopics(admin, [
        ...embeddedFeedTopics(feed, partitions),
        ...ownTopics(feed, names.WATERMARK_TOPIC),
        ...rollupTopics({ prefix: names.ROLLUP_TOPIC_PREFIX, partitions }),
      ]);
    } finally {
      await admin.disconnect();
    }
    return names.DEX_TRADES_TOPIC;
  }

  /** Starts an app of this repository and waits until it is ready; `onLine` is told what it logs. */
  async app(name: AppName, env: NodeJS.ProcessEnv, onLine?: (line: string) => void): Promise<BenchApp> {
    const port = await freePort();
    const metricsPort = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const app = await spawnNodeApp({
      name,
      script: join(repositoryRoot, 'apps', name, 'dist', 'main.js'),
      env: { ...env, PORT: String(port), METRICS_PORT: String(metricsPort) },
      output: onLine === undefined ? { file: join(this.folder, `${name}.log`) } : { onLine },
      readyWhen: () => answersHttp(`${url}/readyz`),
    });
    this.#stops.unshift(() => app.stop());
    return { ...app, url, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const topicSettings = (name: string) => ({
  DEX_TRADES_TOPIC: `${name}.trades`,
  DEX_POOLS_TOPIC: `${name}.pools`,
  JETTON_METADATA_TOPIC: `${name}.metadata`,
  BALANCES_TOPIC: `${name}.balances`,
  WATERMARK_TOPIC: `${name}.watermarks`,
  ROLLUP_TOPIC_PREFIX: `${name}.`,
});
