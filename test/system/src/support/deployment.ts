import { cuttableRelay, type CuttableRelay } from '../../../../packages/read-model/test/cuttable-relay.js';
import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { sharedClickHouse, sharedKafka, sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import { AppProcess, runProgram, type Environment } from './app-process.js';
import { ServiceClient } from './service-client.js';
import { LeakWatch } from './leak-watch.js';
import { migrateButNewest, undoNewest } from './one-schema-behind.js';
import { roundRobin, type RoundRobin } from './round-robin.js';
import { burnAddress, standardCode } from './state-market.js';
import { FeedTopic } from './topic.js';

const partitions = 4;

/** The start of links in answers. */
export const publicUrl = 'https://api.example.com';

const feedTopics = ['trades', 'pools', 'metadata', 'balances'] as const;
export type FeedTopics = Readonly<Record<(typeof feedTopics)[number], FeedTopic>>;

/** The real apps over the real stores of this test run, with topics, a group and a database of their own. */
export class Deployment {
  readonly #running: AppProcess[] = [];
  readonly #balancers: RoundRobin[] = [];
  /** Looks into every line that any app writes. */
  readonly leaks = new LeakWatch();

  private constructor(
    readonly name: string,
    readonly topics: FeedTopics,
    /** The settings that all apps have in common. */
    readonly env: Environment,
    /** Between the apps and PostgreSQL. */
    readonly postgres: CuttableRelay,
  ) {}

  /** The trades topic. */
  get topic(): FeedTopic {
    return this.topics.trades;
  }

  /** Names everything and makes the tables and topics, the tables by all migrations or all but each store's newest; no app runs yet. */
  static async prepare(prefix: string, { isOneBehind = false } = {}): Promise<Deployment> {
    const name = uniqueName(prefix);
    const [{ brokers }, { url }, databaseUrl] = await Promise.all([
      sharedKafka(),
      sharedClickHouse(),
      newDatabase(name),
    ]);
    if (isOneBehind) await undoNewest(databaseUrl);
    const relay = await cuttableRelay(databaseUrl);
    const relayed = new URL(databaseUrl);
    relayed.port = new URL(relay.url).port;
    const env: Environment = {
      HOST: '127.0.0.1',
      KAFKA_BROKERS: brokers.join(','),
      SOURCE_KAFKA_GROUP_ID: name,
      DEX_TRADES_TOPIC: `${name}.trades`,
      DEX_POOLS_TOPIC: `${name}.pools`,
      JETTON_METADATA_TOPIC: `${name}.metadata`,
      BALANCES_TOPIC: `${name}.balances`,
      WATERMARK_TOPIC: `${name}.watermarks`,
      ROLLUP_TOPIC_PREFIX: `${name}.`,
      CLICKHOUSE_URL: url,
      CLICKHOUSE_DATABASE: name,
      DATABASE_URL: relayed.toString(),
      CURSOR_SECRET: 'signs the cursors of this deployment only',
      STACK_SUPERVISED: '1',
      BURN_ADDRESSES: burnAddress,
      STANDARD_MINTER_CODE_HASHES: standardCode,
      PUBLIC_URL: publicUrl,
      FOLLOW_INPUTS_INTERVAL_MS: '250',
      // Many deployments share the processors of a test run: slow is no fault.
      UPSTREAM_TIMEOUT_MS: '20000',
      HISTORY_TIMEOUT_MS: '15000',
      // A comparison asks more in a second than any plan allows.
      RATE_LIMITS: 'off',
    };
    const topicsEnv = { ...env, CREATE_FEED_TOPICS: '1', FEED_PARTITIONS: String(partitions) };
    const tables = isOneBehind ? migrateButNewest(url, name) : runProgram('aggregator', 'migrate.js', env);
    await Promise.all([tables, runProgram('aggregator', 'topics.js', topicsEnv)]);
    const topics = Object.fromEntries(
      feedTopics.map((topic) => [topic, new FeedTopic(brokers, `${name}.${topic}`)]),
    ) as unknown as FeedTopics;
    return new Deployment(name, topics, env, relay);
  }

  /** Starts one more aggregator of the group, under `clock`. */
  startAggregator(clock: string, env: Environment = {}): Promise<AppProcess> {
    return this.#start('aggregator', { ...env, CLOCK: clock }, '/readyz');
  }

  /** Starts the statistics app and gives a client of it. */
  async startStatistics(): Promise<ServiceClient> {
    return new ServiceClient((await this.startQueryApp('statistics')).url);
  }

  /** A query app is ready only when there are snapshots, that is after the first trade; `caughtUp` waits for those. */
  startQueryApp(app: 'statistics' | 'metrics', env: Environment = {}): Promise<AppProcess> {
    return this.#start(app, env, '/livez');
  }

  /** Starts the gateway in front of a statistics app, and of a metrics app where one is given, and a client of it. */
  async startGateway(statistics: { url: string }, metrics?: { url: string }, env: Environment = {}) {
    return new ServiceClient((await this.startGatewayApp(statistics, metrics, env)).url);
  }

  startGatewayApp(statistics: { url: string }, metrics?: { url: string }, env: Environment = {}): Promise<AppProcess> {
    const urls = { STATISTICS_URL: statistics.url, ...(metrics !== undefined && { METRICS_URL: metrics.url }) };
    return this.#start('gateway', { ...urls, ...env }, '/livez');
  }

  /** One address for several replicas, asked in turn. */
  async balance(apps: readonly AppProcess[]): Promise<RoundRobin> {
    const balancer = await roundRobin(apps.map(({ url }) => url));
    this.#balancers.push(balancer);
    return balancer;
  }

  /** Runs the admin's tool and gives its JSON report. */
  async admin<Report>(...args: string[]): Promise<Report> {
    return JSON.parse(await runProgram('admin', 'main.js', this.env, [...args, '--json'])) as Report;
  }

  /** Runs a statement in this deployment's database of the engine, past the service, and gives what it answers. */
  async clickhouse(statement: string): Promise<string> {
    const url = new URL(this.env['CLICKHOUSE_URL'] ?? '');
    url.searchParams.set('database', this.name);
    const response = await fetch(url, { method: 'POST', body: statement, signal: AbortSignal.timeout(60_000) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  /** Runs a test's body; when it throws, prints what each app said last. */
  async explained(body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      const running = this.#running.filter(({ isStopped }) => !isStopped);
      process.stderr.write(`${running.map((app) => app.tail()).join('\n')}\n`);
      throw error;
    }
  }

  /** Stops everything, the youngest first. */
  async stop(): Promise<void> {
    for (const balancer of this.#balancers.splice(0)) balancer.close();
    for (const app of this.#running.splice(0).toReversed()) await app.stop();
    this.postgres.close();
  }

  async #start(name: string, env: Environment, probe: '/readyz' | '/livez'): Promise<AppProcess> {
    const app = await AppProcess.start(name, { ...this.env, ...env }, probe, {
      onLine: (line) => this.leaks.see(line),
    });
    this.#running.push(app);
    return app;
  }
}

/** A migrated database on the PostgreSQL of the test run; returns its address. */
async function newDatabase(name: string): Promise<string> {
  const { url } = await sharedPostgres();
  const admin = await createDataSource(url, { application: 'system tests' }).initialize();
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate(own.toString());
  return own.toString();
}
