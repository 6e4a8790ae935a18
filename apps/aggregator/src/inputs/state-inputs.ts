import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import type { PartitionWatermark } from '@jetton-analytics/common';
import {
  type Assets,
  type BalanceState,
  type MetadataState,
  parseBalanceMessage,
  parseMetadataMessage,
  parsePoolMessage,
  type PoolState,
} from '@jetton-analytics/feed';
import type { DeadLetters, KafkaLogger, KafkaProducer } from '@jetton-analytics/kafka';
import type { Admin } from 'kafkajs';
import type { Registry } from 'prom-client';
import { BalanceWriter } from '../balances/balance-writer.js';
import type { Env } from '../env.js';
import type { MetadataStore } from '../metadata/metadata-store.js';
import { MetadataWriter } from '../metadata/metadata-writer.js';
import { PoolWriter } from '../pools/pool-writer.js';
import { PublishWatermarks } from '../watermarks/publish-watermarks.js';
import { IngestStates } from './ingest-states.js';
import { InputMetrics, type StateInput, stateInputs } from './input-metrics.js';
import { SharedRounds } from './shared-rounds.js';

export interface StateInputsOptions {
  readonly settings: Readonly<Env>;
  readonly assets: Assets;
  readonly deadLetters: DeadLetters;
  readonly producer: Pick<KafkaProducer, 'send'>;
  readonly sourceAdmin: Pick<Admin, 'fetchTopicOffsets'>;
  readonly store: ClickHouseWriter;
  readonly metadata: MetadataStore;
  readonly registry: Registry;
  readonly logger: KafkaLogger;
  inherited(topic: string, partition: number): PartitionWatermark | undefined;
  /** The injected clock, ms since 1970. */
  readonly nowMs: () => number;
}

const rounds = { periodMs: 2_000, gatherMs: 50 };

/** The state topics of the feed: of each how it is ingested, and how far this process has consumed it. */
export class StateInputs {
  readonly pools: IngestStates<PoolState>;
  readonly metadata: IngestStates<MetadataState>;
  readonly balances: IngestStates<BalanceState>;
  readonly watermarks: Readonly<Record<StateInput, PublishWatermarks>>;
  readonly topics: Readonly<Record<StateInput, string>>;

  constructor(options: StateInputsOptions) {
    const { settings, assets, store, nowMs } = options;
    const common = {
      deadLetters: options.deadLetters,
      metrics: new InputMetrics(options.registry),
      badShareMax: settings.BAD_SHARE_PERCENT_MAX / 100,
    };
    this.pools = new IngestStates<PoolState>({
      ...common,
      input: 'pools',
      parse: (message) => parsePoolMessage(message, assets),
      eventTimeOf: ({ lastUpdated }) => lastUpdated,
      writer: new SharedRounds(new PoolWriter(store, nowMs), rounds),
    });
    this.metadata = new IngestStates<MetadataState>({
      ...common,
      input: 'metadata',
      parse: (message) => parseMetadataMessage(message, assets),
      eventTimeOf: ({ order }) => Number(order),
      writer: new MetadataWriter(options.metadata, assets),
    });
    this.balances = new IngestStates<BalanceState>({
      ...common,
      input: 'balances',
      parse: (message) => parseBalanceMessage(message, assets),
      eventTimeOf: ({ timestamp }) => timestamp,
      writer: new SharedRounds(new BalanceWriter(store, { burnAddresses: settings.BURN_ADDRESSES, nowMs }), rounds),
    });
    this.topics = {
      pools: settings.DEX_POOLS_TOPIC,
      metadata: settings.JETTON_METADATA_TOPIC,
      balances: settings.BALANCES_TOPIC,
    };
    const publish = (input: StateInput) => {
      const topic = this.topics[input];
      return new PublishWatermarks({
        producer: options.producer,
        sourceAdmin: options.sourceAdmin,
        tradesTopic: topic,
        watermarkTopic: settings.WATERMARK_TOPIC,
        isEventTimeT: false,
        logger: options.logger,
        inherited: (partition) => options.inherited(topic, partition),
        nowMs,
      });
    };
    this.watermarks = { pools: publish('pools'), metadata: publish('metadata'), balances: publish('balances') };
  }

  /** By the topics' real names. */
  get watermarksByTopic(): Readonly<Record<string, PublishWatermarks>> {
    return Object.fromEntries(stateInputs.map((input) => [this.topics[input], this.watermarks[input]]));
  }

  /** The real name of a handler's topic; undefined where the handler is none of these. */
  topicOf(pattern: string): string | undefined {
    const input = stateInputs.find((one) => one === pattern);
    return input && this.topics[input];
  }
}
