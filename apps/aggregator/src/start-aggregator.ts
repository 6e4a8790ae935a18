import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MicroserviceOptions } from '@nestjs/microservices';
import { NestFactory } from '@nestjs/core';
import { createWriter } from '@jetton-analytics/clickhouse';
import { createAssets, nativeAsset } from '@jetton-analytics/feed';
import { nextT, stepSecondsOf } from '@jetton-analytics/figures';
import { createKafka, createProducer, deadLetters, resolveConnections, statesGroupId } from '@jetton-analytics/kafka';
import type { KafkaBatchServer } from '@jetton-analytics/kafka/server';
import { createDataSource } from '@jetton-analytics/postgres';
import { BucketAuditLoop } from './audit/bucket-audit-loop.js';
import { AuditMetrics } from './audit/audit-metrics.js';
import {
  createHealthServer,
  type Logger,
  type Running,
  statementSeconds,
  systemClock,
} from '@jetton-analytics/service';
import { StatesModule, TradesModule } from './app.module.js';
import type { Env } from './env.js';
import { feedConsumer } from './feed-consumer.js';
import { FollowFacts } from './facts/follow-facts.js';
import { KnownFacts } from './facts/known-facts.js';
import { decimalsReader, sidesReader } from './facts/read-facts.js';
import { StateInputs } from './inputs/state-inputs.js';
import { Leader } from './leadership/leader.js';
import { MetadataStore } from './metadata/metadata-store.js';
import { RollupPublication } from './publication/rollup-publication.js';
import { tooLateBefore } from './retention/bounds.js';
import { IngestTrades } from './trades/ingest-trades.js';
import { TradeMetrics } from './trades/trade-metrics.js';
import { tradesPattern } from './trades/trades.controller.js';
import { TradeWriter } from './trades/trade-writer.js';
import { FetchPace, isAwaited } from './watermarks/fetch-pace.js';
import { FollowWatermarks } from './watermarks/follow-watermarks.js';
import { registerFeedLag } from './watermarks/feed-lag.js';
import { PublishWatermarks } from './watermarks/publish-watermarks.js';

/** Silence of the consumer's loop after which the process is no longer alive. */
const livenessMs = 120_000;
/** Brokers answer several times a second. */
const kafkaSilentMs = 30_000;
const leaderPartition = 0;
/** Share of the grace for the batches in hand and what the leader has under way; the rest is for closing connections. */
const stopShare = 0.7;
/** Trades are visible with the next snapshot, seconds later: writing them more often would help nobody. */
const roundPeriodMs = { live: 400, behind: 1_200 };

/** Puts the aggregator together and starts it; rejects where Kafka cannot be reached or a port is taken. */
export async function startAggregator(context: { settings: Readonly<Env>; logger: Logger }): Promise<Running> {
  const { settings, logger } = context;
  const clock = systemClock;
  const nowMs = () => clock.now();
  const tradesTopic = settings.DEX_TRADES_TOPIC;
  const connections = resolveConnections(settings);
  const instance = settings.CONSUMER_INSTANCE;
  const ownClientId = instance === undefined ? undefined : `${connections.source.clientId}-${instance}`;
  const sourceKafka = createKafka(
    { ...connections.source, ...(ownClientId !== undefined && { clientId: ownClientId }) },
    logger,
  );
  const ownKafka = createKafka(connections.own, logger);
  const producer = createProducer(ownKafka);
  const sourceAdmin = sourceKafka.admin();
  const healthServer = createHealthServer(settings, logger);
  const onStatement = statementSeconds(healthServer.registry);
  const writeStore = createWriter(settings, { application: 'aggregator', lane: 'write', onStatement });
  const snapshotStore = createWriter(settings, { application: 'aggregator snapshots', lane: 'snapshot', onStatement });
  const backgroundStore = createWriter(settings, {
    application: 'aggregator background',
    lane: 'background',
    onStatement,
  });
  const metrics = new TradeMetrics(healthServer.registry);
  const auditMetrics = new AuditMetrics(healthServer.registry);
  const assets = createAssets(settings);
  const prices = {
    quoteAssets: [nativeAsset, ...assets.stables, ...assets.lsds],
    priceMinTradeUsd: settings.PRICE_MIN_TRADE_USD,
  };

  const factsDatabase = createDataSource(settings.DATABASE_URL, { application: 'aggregator facts', connectionsMax: 1 });
  const knownFacts = new KnownFacts(assets);
  const facts = new FollowFacts({
    facts: knownFacts,
    sources: {
      metadata: decimalsReader(factsDatabase, knownFacts),
      pools: sidesReader(snapshotStore, knownFacts),
    },
    logger,
  });

  let leader: Leader | undefined;
  let isAssigned = false;
  const followed = new FollowWatermarks({
    kafka: ownKafka,
    watermarkTopic: settings.WATERMARK_TOPIC,
    tradesTopic,
    otherTopics: [settings.DEX_POOLS_TOPIC, settings.JETTON_METADATA_TOPIC, settings.BALANCES_TOPIC],
    logger,
    onChange: (watermark) => {
      watermarksOf(watermark.topic)?.of(watermark.partition)?.inherit(watermark);
      if (watermark.topic === tradesTopic) leader?.watermarkChanged();
    },
  });
  const published = new PublishWatermarks({
    producer,
    sourceAdmin,
    tradesTopic,
    watermarkTopic: settings.WATERMARK_TOPIC,
    isEventTimeT: settings.CLOCK.mode === 'event',
    logger,
    inherited: (partition) => followed.of(partition),
    nowMs,
  });
  const metadataStore = new MetadataStore(settings.DATABASE_URL, 'aggregator metadata');
  const letters = deadLetters(producer);
  const states = new StateInputs({
    settings,
    assets,
    deadLetters: letters,
    producer,
    sourceAdmin,
    store: writeStore,
    metadata: metadataStore,
    registry: healthServer.registry,
    logger,
    inherited: (topic, partition) => followed.of(partition, topic),
    nowMs,
  });
  const publishers = { [tradesTopic]: published, ...states.watermarksByTopic };
  registerFeedLag(healthServer.registry, publishers);
  const watermarksOf = (topic: string): PublishWatermarks | undefined => publishers[topic];
  // Who does not lead finds T in the watermarks as the leader does.
  const followedT = () => {
    const watermarks = { clock: settings.CLOCK, partitions: followed.all, feedDelay: settings.FEED_DELAY_SECONDS };
    return nextT({ ...watermarks, lastT: undefined, lastDelaySeconds: 0 });
  };
  const asOfNow = () => leader?.asOf ?? followedT().t;
  const publication =
    settings.ROLLUP_TOPICS === 'on'
      ? new RollupPublication({
          kafka: ownKafka,
          topicPrefix: settings.ROLLUP_TOPIC_PREFIX,
          tradesTopic,
          coarsePeriodMs: settings.ROLLUP_OPEN_SECONDS * 1_000,
          minuteStore: writeStore,
          leaderStore: snapshotStore,
          registry: healthServer.registry,
          auditMetrics,
          logger,
          asOf: asOfNow,
          positions: () => new Map(followed.all.map(({ partition, position }) => [partition, position])),
          nowMs,
        })
      : undefined;
  const audit = new BucketAuditLoop({
    store: backgroundStore,
    prices,
    bucketsPerMinute: settings.AUDIT_BUCKETS_PER_MINUTE,
    metrics: auditMetrics,
    logger,
  });
  const ingest = new IngestTrades({
    assets,
    deadLetters: letters,
    writer: new TradeWriter(writeStore, {
      ...prices,
      legsPerRoundMax: settings.INGEST_ROUND_LEGS_MAX,
      roundPeriodMs,
      nowMs,
      onRound: (round) => metrics.round(round),
    }),
    metrics,
    publication,
    badShareMax: settings.BAD_SHARE_PERCENT_MAX / 100,
    tooLateBefore: () => {
      const { LEDGER_RETENTION_DAYS: days, CLOCK } = settings;
      if (days === undefined || CLOCK.mode !== 'wall') return undefined;
      const asOf = asOfNow();
      return asOf === undefined ? undefined : tooLateBefore(asOf, days);
    },
  });

  const stopMs = settings.SHUTDOWN_GRACE_MS * stopShare;
  const consumed = {
    kafka: sourceKafka,
    sessionTimeoutMs: settings.CONSUMER_SESSION_TIMEOUT_MS,
    ownClientId,
    closeTimeoutMs: stopMs,
    watermarksOf,
    metrics,
    logger,
    nowMs,
  };
  // Where T follows event times, a trade is visible as soon as it is written.
  const pace =
    settings.CLOCK.mode === 'wall'
      ? new FetchPace({
          measured: () => published.measured,
          isAwaited: () => {
            const { delaySeconds } = leader ?? followedT();
            return isAwaited(published.pending, { delaySeconds, stepSeconds: settings.STEP_SHORT_SECONDS });
          },
        })
      : undefined;
  const trades: KafkaBatchServer = feedConsumer({
    ...consumed,
    pace,
    groupId: settings.SOURCE_KAFKA_GROUP_ID,
    topicOf: (pattern) => (pattern === tradesPattern ? tradesTopic : pattern),
    onAssigned: (partitions, generation) => {
      const owned = partitions[tradesTopic] ?? [];
      isAssigned = true;
      logger.info({ partitions: owned, generation: generation.generationId }, 'partitions assigned');
      published.assigned(trades.positions());
      void leader?.stop();
      leader = owned.includes(leaderPartition)
        ? new Leader(
            {
              store: snapshotStore,
              backgroundStore,
              watermarks: followed,
              tradesTopic,
              otherTopics: Object.values(states.topics),
              clock: settings.CLOCK,
              feedDelay: settings.FEED_DELAY_SECONDS,
              stepSeconds: stepSecondsOf(settings.CLOCK, {
                short: settings.STEP_SHORT_SECONDS,
                mid: settings.STEP_MID_SECONDS,
                long: settings.STEP_LONG_SECONDS,
              }),
              facts,
              prices,
              retentionDays: settings.LEDGER_RETENTION_DAYS,
              instanceId: `${hostname()}:${process.pid}:${randomUUID()}`,
              logger,
              nowMs,
              partitionCount: async (topic) => (await sourceAdmin.fetchTopicOffsets(topic)).length,
              onAsOf: (asOf) => {
                metrics.asOf(asOf);
                publication?.snapshotPublished();
              },
            },
            generation,
          )
        : undefined;
      leader?.start();
      if (leader === undefined) {
        void publication?.resign();
        void audit.resign();
      } else {
        publication?.lead(generation);
        audit.lead(generation);
      }
    },
    onRevoked: () => {
      published.revoked();
      void publication?.resign();
      void audit.resign();
      void leader?.stop();
      leader = undefined;
    },
  });
  // A consumer of their own: what is slow to store here must not keep trades waiting for the next fetch.
  const stateConsumer: KafkaBatchServer = feedConsumer({
    ...consumed,
    groupId: statesGroupId(settings),
    topicOf: (pattern) => states.topicOf(pattern) ?? pattern,
    onAssigned: () => {
      const positions = stateConsumer.positions();
      for (const [topic, publisher] of Object.entries(states.watermarksByTopic)) {
        publisher.assigned(positions.filter((position) => position.topic === topic));
      }
    },
    onRevoked: () => {
      for (const publisher of Object.values(states.watermarksByTopic)) publisher.revoked();
    },
  });

  healthServer.health.addLiveness('consumer', () => {
    const silentMs = nowMs() - Math.min(trades.lastProgressAt(), stateConsumer.lastProgressAt());
    return { ok: silentMs < livenessMs, detail: `last progress ${Math.round(silentMs / 1_000)} s ago` };
  });
  healthServer.health.addReadiness(
    'kafka',
    () => {
      const silentMs = nowMs() - Math.min(trades.lastProgressAt(), stateConsumer.lastProgressAt());
      return { ok: silentMs < kafkaSilentMs, detail: `last answer ${Math.round(silentMs / 1_000)} s ago` };
    },
    // A restart would not bring it back.
    { decides: false },
  );
  healthServer.health.addReadiness('consumer', () => {
    const detail = `${trades.positions().length + stateConsumer.positions().length} partitions`;
    return { ok: isAssigned, detail };
  });
  healthServer.health.addReadiness(
    'postgres',
    async () => {
      await metadataStore.ping();
      return { ok: true };
    },
    // Trades go on without it.
    { decides: false },
  );
  healthServer.health.addReadiness('clickhouse', async () => {
    await writeStore.ping();
    return { ok: true };
  });

  await Promise.all([producer.connect(), sourceAdmin.connect(), publication?.connect()]);
  const { url, metricsUrl } = await healthServer.listen();
  logger.info({ url, metricsUrl }, 'listening');
  facts.start();
  await followed.caughtUp;
  const apps = await Promise.all([
    NestFactory.createMicroservice<MicroserviceOptions>(TradesModule.with({ ingest, watermarks: published }), {
      strategy: trades,
      logger: false,
    }),
    NestFactory.createMicroservice<MicroserviceOptions>(StatesModule.with(states), {
      strategy: stateConsumer,
      logger: false,
    }),
  ]);
  await Promise.all(apps.map((app) => app.listen()));
  for (const publisher of Object.values(publishers)) publisher.start();
  return {
    async close() {
      const until = performance.now() + stopMs;
      const standDown = () => Promise.all([leader?.stop(), publication?.resign(), audit.resign()]);
      const stoodDown = standDown();
      await Promise.all(apps.map((app) => app.close()));
      // A rebalance may have made it the leader once more. A statement that does not end is left to its own deadline.
      const restMs = Math.max(500, until - performance.now());
      await Promise.race([Promise.all([stoodDown, standDown()]), sleep(restMs, undefined, { ref: false })]);
      await Promise.all(Object.values(publishers).map((publisher) => publisher.stop()));
      await Promise.all([followed.stop(), facts.stop(), publication?.close()]);
      if (factsDatabase.isInitialized) await factsDatabase.destroy();
      await Promise.all([
        producer.disconnect(),
        sourceAdmin.disconnect(),
        writeStore.close(),
        snapshotStore.close(),
        backgroundStore.close(),
        metadataStore.close(),
      ]);
      await healthServer.close();
    },
  };
}
