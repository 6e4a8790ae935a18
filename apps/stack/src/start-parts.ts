import { preferPort } from '@jetton-analytics/embedded';
import { preferredPorts, startApp } from './apps.js';
import { keptDemoKey } from './demo-key.js';
import type { StackEnv } from './environment.js';
import { startFeed, type RunningFeed } from './market-feed.js';
import type { StackSource } from './options.js';
import { prepareClickHouse, preparePostgres, prepareTopics, type PrepareContext } from './prepare.js';
import { ranks } from './ranks.js';
import { startClickHouseStore, startKafkaStore, startPostgresStore } from './stores.js';

export interface PartsPlan {
  readonly settings: StackEnv;
  readonly source: StackSource;
  /** Of the API; without it a free one. */
  readonly apiPort: number | undefined;
  /** What all apps have in common of their environment, without the addresses of the stores. */
  readonly common: NodeJS.ProcessEnv;
}

export interface StartedParts {
  readonly stores: {
    readonly kafka: string;
    readonly postgres: string;
    readonly clickhouse: string;
    /** The environment of the apps with these addresses. */
    readonly env: NodeJS.ProcessEnv;
  };
  /** Undefined where the trades come from a foreign feed. */
  readonly feed: RunningFeed | undefined;
  readonly apiUrl: string;
  /** Resolves when every app has something to answer; rejects with a LaunchError when one has not in time. */
  readonly ready: Promise<unknown>;
  /** A key of a paid plan; undefined where PostgreSQL is somebody else's. */
  readonly demoKey: string | undefined;
  /** Of the app that tells the status: asked directly, our own looking counts towards nobody's limit. */
  readonly statisticsUrl: string;
}

/**
 * Starts the stores, prepares them, and starts the apps and the feed: each part as soon as those it stands on are ready,
 * side by side where it can. Throws a LaunchError of the first that cannot start; the others may still be starting.
 */
export async function startParts(context: PrepareContext, plan: PartsPlan): Promise<StartedParts> {
  const { settings, source, apiPort, common } = plan;
  const storeContext = { ...context, settings, env: common };

  // Links in answers of the metrics app lead to the gateway, which starts after it.
  const preferred = apiPort ?? (await preferPort(preferredPorts.gateway));

  const kafka = startKafkaStore(storeContext);
  const withKafka = kafka.then((brokers) => ({ ...common, KAFKA_BROKERS: brokers }));
  const topics = withKafka.then((env) => prepareTopics(context, env, { createFeedTopics: source.kind !== 'kafka' }));
  const feed = withKafka.then((env) => (source.kind === 'kafka' ? undefined : startFeed(context, source, env, topics)));

  const clickhouse = startClickHouseStore(storeContext).then(async (url) => {
    const env = { ...common, CLICKHOUSE_URL: url };
    await prepareClickHouse(context, env);
    return url;
  });
  const postgres = startPostgresStore(storeContext).then(async (url) => {
    await preparePostgres(context, { ...common, DATABASE_URL: url });
    return url;
  });
  const demoKey = postgres.then((url) =>
    settings.DATABASE_URL === undefined ? keptDemoKey(context.folder.dir, url) : undefined,
  );
  demoKey.catch(() => undefined); // awaited below; the apps' start comes first
  // Both query apps hold a read model of both stores.
  const stores = Promise.all([clickhouse, postgres]).then(([clickhouseUrl, databaseUrl]) => ({
    ...common,
    CLICKHOUSE_URL: clickhouseUrl,
    DATABASE_URL: databaseUrl,
  }));
  const env = Promise.all([withKafka, clickhouse, postgres]).then(([known, clickhouseUrl, databaseUrl]) => ({
    ...known,
    CLICKHOUSE_URL: clickhouseUrl,
    DATABASE_URL: databaseUrl,
  }));
  // With empty topics T would be now, and would wait there for the history to arrive instead of walking through it.
  const begun = Promise.all([topics, feed.then((running) => running?.begun)]);
  // A group of our own broker has no other members: one that is found there was killed with the last stack.
  const isOwnGroup = settings.KAFKA_BROKERS === undefined && source.kind !== 'kafka';
  const aggregator = env.then((whole) =>
    startApp(context, {
      name: 'aggregator',
      rank: ranks.aggregator,
      env: { ...(isOwnGroup && { CONSUMER_INSTANCE: 'stack' }), ...whole },
      warm: { file: 'start-aggregator.js', runWhen: begun },
    }),
  );
  // They find nothing to answer yet, but the processor is idle now and will not be later.
  const statistics = stores.then((queried) =>
    startApp(context, { name: 'statistics', rank: ranks.queries, env: queried }),
  );
  const publicUrl = { PUBLIC_URL: common['PUBLIC_URL'] ?? `http://127.0.0.1:${preferred}` };
  const metrics = stores.then((queried) =>
    startApp(context, { name: 'metrics', rank: ranks.queries, env: { ...queried, ...publicUrl } }),
  );
  const gateway = Promise.all([statistics, metrics, postgres]).then(([statisticsApp, metricsApp, databaseUrl]) =>
    startApp(context, {
      name: 'gateway',
      rank: ranks.gateway,
      env: { ...common, STATISTICS_URL: statisticsApp.url, METRICS_URL: metricsApp.url, DATABASE_URL: databaseUrl },
      port: apiPort,
      preferred,
    }),
  );

  const [, ...apps] = await Promise.all([begun, aggregator, statistics, metrics, gateway]);
  return {
    stores: { kafka: await kafka, postgres: await postgres, clickhouse: await clickhouse, env: await env },
    feed: await feed,
    apiUrl: (await gateway).url,
    ready: Promise.all(apps.map(({ ready }) => ready)),
    demoKey: await demoKey,
    statisticsUrl: (await statistics).url,
  };
}
