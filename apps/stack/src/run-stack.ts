import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { LaunchError, openDataFolder, type DataFolder } from '@jetton-analytics/embedded';
import { feedTopics } from '@jetton-analytics/common';
import { choosePorts, localUrl, startApps } from './apps.js';
import { waitCaughtUp } from './catch-up.js';
import { engineVersions } from './engine-versions.js';
import { appEnvironment, type StackEnv } from './environment.js';
import { firstQuery } from './first-query.js';
import { folderNameOf } from './folder-name.js';
import { startFeed } from './market-feed.js';
import type { StackOptions } from './options.js';
import type { Output } from './output.js';
import { prepareStores } from './prepare.js';
import { readStatus } from './status.js';
import { shownUrl, startStores } from './stores.js';
import { summary } from './summary.js';
import type { Supervisor } from './supervisor.js';

export interface StackContext {
  /** The checkout. */
  readonly root: string;
  readonly options: StackOptions;
  readonly settings: StackEnv;
  /** The environment the programs get, with our addresses laid over it. */
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Aborted when everything is to stop. */
  readonly signal: AbortSignal;
}

/** Takes the data folder of these options. Throws a LaunchError, see openDataFolder. */
export async function takeFolder({ root, options, output }: StackContext): Promise<DataFolder> {
  const dir = resolve(options.dataDir, await folderNameOf(options));
  mkdirSync(dirname(dir), { recursive: true });
  const folder = await openDataFolder({ dir, fresh: options.fresh, engines: engineVersions(root) });
  output.step(`data folder ${relative('.', dir)}${options.fresh ? ', begun anew' : ''}`);
  if (folder.cleared.length > 0) output.step(`ended what a killed stack had left: ${folder.cleared.join(', ')}`);
  return folder;
}

/**
 * Starts everything up to the summary and resolves when it is on the screen; the processes run on under the supervisor.
 * Throws a LaunchError of the first part that cannot start.
 */
export async function startStack(context: StackContext, folder: DataFolder, supervisor: Supervisor): Promise<void> {
  const { root, options, settings, output, signal } = context;
  const { source, clock } = options;
  const sourceKafka = source.kind === 'kafka';
  if (sourceKafka && settings.SOURCE_KAFKA_BROKERS === undefined) {
    throw new LaunchError('--source kafka reads the feed at SOURCE_KAFKA_BROKERS, which is not set');
  }
  const ports = await choosePorts(options.port ?? settings.PORT);
  const parts = { root, folder, supervisor, output };
  const stores = await startStores({ ...parts, settings, env: context.env });
  const env = appEnvironment(context.env, stores, {
    clock,
    sourceKafka,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT ?? 'json',
  });
  await prepareStores(parts, env, { createFeedTopics: !sourceKafka });
  const feed = sourceKafka ? undefined : await startFeed(parts, source, env);
  await startApps(parts, env, ports);

  const apiUrl = localUrl(ports.gateway);
  const caughtUp = await waitCaughtUp(() => readStatus(apiUrl), {
    tradesTopic: env['DEX_TRADES_TOPIC'] ?? feedTopics.trades,
    feedIsThrough: () => feed?.isThrough() ?? true,
    output,
    signal,
  });
  const status = await readStatus(apiUrl);
  const first = status?.asOf === undefined ? undefined : await firstQuery(env, apiUrl, status.asOf, signal);
  output.text(
    summary({
      source,
      clock,
      apiUrl,
      kafka: stores.kafkaBrokers,
      clickhouse: shownUrl(stores.clickhouseUrl),
      postgres: settings.DATABASE_URL === undefined ? stores.databaseUrl : shownUrl(stores.databaseUrl),
      dataDir: join(relative('.', folder.dir)),
      asOf: status?.asOf,
      caughtUp,
      first,
    }),
  );
}
