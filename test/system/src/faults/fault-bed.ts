import { createDataSource, migrate } from '@jetton-analytics/postgres';
import { uniqueName } from '@jetton-analytics/testing';
import { runProgram, type Environment } from '../support/app-process.js';
import kafkajs, { type Kafka } from 'kafkajs';
import { EngineClient } from './engine-client.js';
import type { FaultOptions } from './fault-options.js';
import { sessionTimeoutMs } from './fault-options.js';
import { type Relay, startRelay } from './relays.js';
import type { StoreName, Stores } from './stores.js';

/** Topics, a group and databases of their own on the stores, a relay before each store, and how aggregators reach them. */
export interface FaultBed {
  readonly name: string;
  readonly tradesTopic: string;
  readonly groupId: string;
  readonly rollupPrefix: string;
  /** Where the service is built. */
  readonly root: string;
  readonly brokers: readonly string[];
  /** Past the relays. */
  readonly kafka: Kafka;
  readonly engine: EngineClient;
  readonly relays: Readonly<Record<StoreName, Relay>>;
  /** Of an aggregator, through the relays. */
  readonly env: Environment;
  /** Past the relays. */
  readonly directEnv: Environment;
  close(): Promise<void>;
}

/** Closes segments after a moment and has them compacted at once, however short the run. */
async function shortenSegments(kafka: Kafka, prefix: string, segmentMs: number): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const names = (await admin.listTopics()).filter(
      (name) => name.startsWith(prefix) && /statistics|rollup/.test(name),
    );
    const type = kafkajs.ConfigResourceTypes.TOPIC;
    const resources = names.map((name) => ({ type, name }));
    const described = await admin.describeConfigs({ includeSynonyms: false, resources });
    const shortened = {
      'segment.ms': String(segmentMs),
      'min.compaction.lag.ms': '0',
      'min.cleanable.dirty.ratio': '0.01',
    };
    await admin.alterConfigs({
      validateOnly: false,
      // Replaces all of a topic's own configs, so those it has are sent along.
      resources: described.resources.map(({ resourceName, configEntries }) => {
        const own = configEntries.filter(({ configSource }) => configSource === kafkajs.ConfigSource.TOPIC_CONFIG);
        const had = Object.fromEntries(own.map((entry) => [entry.configName, entry.configValue]));
        const wanted = Object.entries({ ...had, ...shortened });
        return { type, name: resourceName, configEntries: wanted.map(([name, value]) => ({ name, value })) };
      }),
    });
  } finally {
    await admin.disconnect();
  }
}

/** Makes the tables and topics with the programs of the build at `root`. */
export async function prepareBed(root: string, stores: Stores, options: FaultOptions): Promise<FaultBed> {
  const name = uniqueName('faults');
  const [broker = ''] = stores.brokers;
  const brokerPort = Number(broker.split(':')[1]);
  const postgresUrl = await newDatabase(stores.postgresUrl, name);
  const relays = {
    kafka: await startRelay('tcp', brokerPort),
    engine: await startRelay('http', Number(new URL(stores.engineUrl).port)),
    postgres: await startRelay('tcp', Number(new URL(postgresUrl).port)),
  };
  const relayedPostgres = new URL(postgresUrl);
  relayedPostgres.port = String(relays.postgres.port);
  const tradesTopic = `${name}.trades`;
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    CLOCK: 'event',
    FEED_DELAY_SECONDS: '0',
    KAFKA_BROKERS: broker,
    SOURCE_KAFKA_GROUP_ID: name,
    CONSUMER_SESSION_TIMEOUT_MS: String(sessionTimeoutMs),
    DEX_TRADES_TOPIC: tradesTopic,
    DEX_POOLS_TOPIC: `${name}.pools`,
    JETTON_METADATA_TOPIC: `${name}.metadata`,
    BALANCES_TOPIC: `${name}.balances`,
    WATERMARK_TOPIC: `${name}.watermarks`,
    ROLLUP_TOPICS: 'on',
    ROLLUP_TOPIC_PREFIX: `${name}.`,
    ROLLUP_PARTITIONS: '3',
    ROLLUP_OPEN_SECONDS: '5',
    CLICKHOUSE_DATABASE: name,
    CLICKHOUSE_TIMEOUT_MS: String(options.statementMs),
  };
  const direct = {
    ...env,
    CLICKHOUSE_URL: stores.engineUrl,
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_TIMEOUT_MS: '60000',
  };
  const run = (file: string, more: Environment = {}) =>
    runProgram('aggregator', file, { ...direct, ...more }, [], root);
  await run('migrate.js');
  await run('topics.js', { CREATE_FEED_TOPICS: '1', FEED_PARTITIONS: String(options.partitions) });
  const { Kafka: Client, logLevel } = kafkajs;
  const kafka = new Client({ brokers: stores.brokers, logLevel: logLevel.NOTHING, retry: { retries: 12 } });
  await shortenSegments(kafka, env.ROLLUP_TOPIC_PREFIX, options.segmentMs);
  return {
    name,
    root,
    brokers: stores.brokers,
    tradesTopic,
    groupId: name,
    rollupPrefix: env.ROLLUP_TOPIC_PREFIX,
    kafka,
    engine: new EngineClient(stores.engineUrl, name),
    relays,
    env: {
      ...env,
      CLICKHOUSE_URL: `http://127.0.0.1:${relays.engine.port}`,
      DATABASE_URL: relayedPostgres.toString(),
      FAULT_BROKER_PORT: String(brokerPort),
      FAULT_RELAY_PORT: String(relays.kafka.port),
    },
    directEnv: direct,
    async close() {
      await Promise.all(Object.values(relays).map((relay) => relay.close()));
    },
  };
}

async function newDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = await createDataSource(serverUrl, { application: 'fault suite' }).initialize();
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(serverUrl);
  own.pathname = `/${name}`;
  await migrate(own.toString());
  return own.toString();
}
