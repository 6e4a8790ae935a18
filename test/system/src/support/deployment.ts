import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { sharedClickHouse, sharedKafka, sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import { AppProcess, runProgram, type Environment } from './app-process.js';
import { ServiceClient } from './service-client.js';
import { TradesTopic } from './trades-topic.js';

const partitions = 4;

/** The real apps over the real stores of this test run, with topics, a group and a database of their own. */
export class Deployment {
  readonly #running: AppProcess[] = [];

  private constructor(
    readonly name: string,
    readonly topic: TradesTopic,
    private readonly env: Environment,
  ) {}

  /** Names everything and makes the tables and topics; no app runs yet. */
  static async prepare(prefix: string): Promise<Deployment> {
    const name = uniqueName(prefix);
    const [{ brokers }, { url }, databaseUrl] = await Promise.all([
      sharedKafka(),
      sharedClickHouse(),
      newDatabase(name),
    ]);
    const env: Environment = {
      HOST: '127.0.0.1',
      KAFKA_BROKERS: brokers.join(','),
      SOURCE_KAFKA_GROUP_ID: name,
      DEX_TRADES_TOPIC: `${name}.trades`,
      DEX_POOLS_TOPIC: `${name}.pools`,
      JETTON_METADATA_TOPIC: `${name}.metadata`,
      BALANCES_TOPIC: `${name}.balances`,
      WATERMARK_TOPIC: `${name}.watermarks`,
      CLICKHOUSE_URL: url,
      CLICKHOUSE_DATABASE: name,
      DATABASE_URL: databaseUrl,
      CURSOR_SECRET: 'signs the cursors of this deployment only',
      STACK_SUPERVISED: '1',
      // A comparison asks more in a second than any plan allows.
      RATE_LIMITS: 'off',
    };
    const topicsEnv = { ...env, CREATE_FEED_TOPICS: '1', FEED_PARTITIONS: String(partitions) };
    await Promise.all([runProgram('aggregator', 'migrate.js', env), runProgram('aggregator', 'topics.js', topicsEnv)]);
    return new Deployment(name, new TradesTopic(brokers, `${name}.trades`), env);
  }

  /** Starts one more aggregator of the group, under `clock`. */
  startAggregator(clock: string, env: Environment = {}): Promise<AppProcess> {
    return this.#keep(AppProcess.start('aggregator', { ...this.env, ...env, CLOCK: clock }, '/readyz'));
  }

  /** Starts the statistics app and gives a client of it. */
  async startStatistics(): Promise<ServiceClient> {
    // It is ready only when there are snapshots, that is after the first trade; `caughtUp` waits for those.
    const statistics = await this.#keep(AppProcess.start('statistics', this.env, '/livez'));
    return new ServiceClient(statistics.url);
  }

  /** Starts the gateway in front of a statistics app and gives a client of it. */
  async startGateway({ baseUrl }: ServiceClient): Promise<ServiceClient> {
    const gateway = await this.#keep(AppProcess.start('gateway', { ...this.env, STATISTICS_URL: baseUrl }, '/livez'));
    return new ServiceClient(gateway.url);
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
    for (const app of this.#running.splice(0).toReversed()) await app.stop();
  }

  async #keep(starting: Promise<AppProcess>): Promise<AppProcess> {
    const app = await starting;
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
