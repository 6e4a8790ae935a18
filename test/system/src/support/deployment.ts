import { sharedClickHouse, sharedKafka, uniqueName } from '@jetton-analytics/testing';
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
    const [{ brokers }, { url }] = await Promise.all([sharedKafka(), sharedClickHouse()]);
    const name = uniqueName(prefix);
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
      STACK_SUPERVISED: '1',
    };
    await runProgram('aggregator', 'migrate.js', env);
    const topicsEnv = { ...env, CREATE_FEED_TOPICS: '1', FEED_PARTITIONS: String(partitions) };
    await runProgram('aggregator', 'topics.js', topicsEnv);
    return new Deployment(name, new TradesTopic(brokers, `${name}.trades`), env);
  }

  /** Starts one more aggregator of the group, under `clock`. */
  startAggregator(clock: string): Promise<AppProcess> {
    return this.#keep(AppProcess.start('aggregator', { ...this.env, CLOCK: clock }));
  }

  /** Starts the statistics app and gives a client of it. */
  async startStatistics(): Promise<ServiceClient> {
    const statistics = await this.#keep(AppProcess.start('statistics', this.env));
    return new ServiceClient(statistics.url);
  }

  /** Stops everything, the youngest first; says what each app said last when `failed`. */
  async stop({ failed = false } = {}): Promise<void> {
    if (failed) process.stderr.write(`${this.#running.map((app) => app.tail()).join('\n')}\n`);
    for (const app of this.#running.splice(0).toReversed()) await app.stop();
  }

  async #keep(starting: Promise<AppProcess>): Promise<AppProcess> {
    const app = await starting;
    this.#running.push(app);
    return app;
  }
}
