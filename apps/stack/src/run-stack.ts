import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { LaunchError, openDataFolder, requireFreePort, type DataFolder } from '@jetton-analytics/embedded';
import { feedTopics } from '@jetton-analytics/common';
import { waitCaughtUp } from './catch-up.js';
import { keptCursorSecret } from './cursor-secret.js';
import { engineVersions } from './engine-versions.js';
import { appEnvironment, type StackEnv } from './environment.js';
import { firstQuery, paidQuery } from './first-query.js';
import { folderNameOf } from './folder-name.js';
import type { StackOptions } from './options.js';
import type { Output } from './output.js';
import type { Checkout } from './prepare.js';
import { readStatus } from './status.js';
import { startParts } from './start-parts.js';
import { postgresPasswordFile, shownUrl } from './stores.js';
import { summary } from './summary.js';
import type { Supervisor } from './supervisor.js';

export interface StackContext extends Checkout {
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
  const dir = resolve(options.dataDir ?? join(root, '.data'), await folderNameOf(options));
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
  const { root, build, options, settings, output, signal } = context;
  const { source, clock } = options;
  const sourceKafka = source.kind === 'kafka';
  if (sourceKafka && settings.SOURCE_KAFKA_BROKERS === undefined) {
    throw new LaunchError('--source kafka reads the feed at SOURCE_KAFKA_BROKERS, which is not set');
  }
  const apiPort = options.port ?? settings.PORT;
  if (apiPort !== undefined) await requireFreePort(apiPort, 'the API'); // said now rather than after the stores
  const parts = { root, build, folder, supervisor, output, signal };
  const set = appEnvironment(context.env, {
    clock,
    sourceKafka,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT ?? 'json',
  });
  const common: NodeJS.ProcessEnv = { CURSOR_SECRET: keptCursorSecret(folder.dir), ...set };
  const { stores, feed, apiUrl, ready, demoKey, statisticsUrl } = await startParts(parts, {
    settings,
    source,
    apiPort,
    common,
  });

  const [caughtUp] = await Promise.all([
    waitCaughtUp(() => readStatus(statisticsUrl), {
      tradesTopic: common['DEX_TRADES_TOPIC'] ?? feedTopics.trades,
      feedIsThrough: () => feed?.isThrough() ?? true,
      output,
      signal,
    }),
    ready,
  ]);
  const status = await readStatus(statisticsUrl);
  const asOf = status?.asOf;
  const first = asOf === undefined ? undefined : await firstQuery(stores.env, apiUrl, asOf, signal);
  const canAskPaid = first !== undefined && asOf !== undefined && demoKey !== undefined;
  const paid = canAskPaid ? await paidQuery(apiUrl, demoKey, asOf, signal) : undefined;
  output.text(
    summary({
      source,
      clock,
      apiUrl,
      kafka: stores.kafka,
      clickhouse: shownUrl(stores.clickhouse),
      postgres: shownUrl(stores.postgres),
      ...(settings.DATABASE_URL === undefined && { passwordFile: relative('.', postgresPasswordFile(folder.dir)) }),
      dataDir: join(relative('.', folder.dir)),
      asOf,
      caughtUp,
      first,
      demoKey,
      paid,
    }),
  );
}
