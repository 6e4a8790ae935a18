import { join } from 'node:path';
import { startClickHouseLocal, startKafka, startPostgres, type DataFolder } from '@jetton-analytics/embedded';
import type { StackEnv } from './environment.js';
import type { Output } from './output.js';
import type { Checkout } from './prepare.js';
import { ranks } from './ranks.js';
import type { Supervisor } from './supervisor.js';

export interface StoresContext extends Checkout {
  readonly folder: DataFolder;
  readonly supervisor: Supervisor;
  readonly output: Output;
  readonly settings: StackEnv;
  /** The environment handed to the programs. */
  readonly env: NodeJS.ProcessEnv;
}

/** Without its user and password, for the screen. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Where the PostgreSQL of this data folder keeps the password of its user postgres. */
export const postgresPasswordFile = (folder: string): string => join(folder, 'postgres', 'password');

/** The Kafka of this stack: the brokers, by commas. Throws a LaunchError. */
export async function startKafkaStore({
  root,
  folder,
  supervisor,
  output,
  settings,
  env,
}: StoresContext): Promise<string> {
  if (settings.KAFKA_BROKERS !== undefined) {
    output.step(`Kafka: using ${settings.KAFKA_BROKERS}`);
    return settings.KAFKA_BROKERS;
  }
  const { brokers } = await supervisor.keep(ranks.stores, () =>
    startKafka({
      dataDir: join(folder.dir, 'kafka'),
      cacheDir: join(root, '.cache'),
      ...(settings.KAFKA_HOME === undefined ? {} : { kafkaHome: settings.KAFKA_HOME }),
      registry: folder.registry,
      env,
      log: (text) => output.step(`Kafka: ${text}`),
    }),
  );
  output.step(`Kafka: ready on ${brokers.join(',')}`);
  return brokers.join(',');
}

/** The PostgreSQL of this stack: its URL. Throws a LaunchError. */
export async function startPostgresStore({ folder, supervisor, output, settings }: StoresContext): Promise<string> {
  if (settings.DATABASE_URL !== undefined) {
    output.step(`PostgreSQL: using ${shownUrl(settings.DATABASE_URL)}`);
    return settings.DATABASE_URL;
  }
  const { url } = await supervisor.keep(ranks.stores, () =>
    startPostgres({ dataDir: join(folder.dir, 'postgres'), registry: folder.registry }),
  );
  output.step(`PostgreSQL: ready on ${shownUrl(url)}`);
  return url;
}

/** The ClickHouse of this stack: its URL. Throws a LaunchError. */
export async function startClickHouseStore({
  root,
  build,
  folder,
  supervisor,
  output,
  settings,
  env,
}: StoresContext): Promise<string> {
  if (settings.CLICKHOUSE_URL !== undefined) {
    output.step(`ClickHouse: using ${shownUrl(settings.CLICKHOUSE_URL)}`);
    return settings.CLICKHOUSE_URL;
  }
  const { url } = await supervisor.keep(ranks.stores, () =>
    startClickHouseLocal({
      repositoryRoot: root,
      build,
      dataDir: join(folder.dir, 'clickhouse'),
      env,
      output: { onLine: (line) => output.line('clickhouse', line) },
      registry: folder.registry,
    }),
  );
  output.step(`ClickHouse: ready on ${shownUrl(url)}`);
  return url;
}
