import { feedSettings } from '@jetton-analytics/feed';
import { kafkaSettings, KafkaSettingsError, resolveConnections, type KafkaConnection } from '@jetton-analytics/kafka';
import { loadSettings, serviceSettings, SettingsError } from '@jetton-analytics/service/process';
import type { RecordKind } from '@jetton-analytics/simulated-market';
import { z } from 'zod';
import { UserError } from './user-error.js';

const Env = z.object({
  LOG_LEVEL: serviceSettings.LOG_LEVEL,
  LOG_FORMAT: serviceSettings.LOG_FORMAT,
  ...kafkaSettings,
  DEX_TRADES_TOPIC: feedSettings.DEX_TRADES_TOPIC,
  DEX_POOLS_TOPIC: feedSettings.DEX_POOLS_TOPIC,
  JETTON_METADATA_TOPIC: feedSettings.JETTON_METADATA_TOPIC,
  BALANCES_TOPIC: feedSettings.BALANCES_TOPIC,
});

export type TopicNames = Readonly<Record<RecordKind, string>>;

export interface Settings {
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty';
  readonly kafka: KafkaConnection;
  readonly topics: TopicNames;
}

/** Reads the settings. Throws a UserError (78) that names each wrong one and what is expected. */
export function readSettings(source: Readonly<Record<string, string | undefined>> = process.env): Settings {
  try {
    const env = loadSettings(Env, source);
    return {
      logLevel: env.LOG_LEVEL,
      logFormat: env.LOG_FORMAT,
      kafka: resolveConnections(env).own,
      topics: {
        trades: env.DEX_TRADES_TOPIC,
        pools: env.DEX_POOLS_TOPIC,
        jettonMetadata: env.JETTON_METADATA_TOPIC,
        balances: env.BALANCES_TOPIC,
      },
    };
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof KafkaSettingsError)) throw error;
    throw new UserError(`the settings are wrong:\n${error.message}`, 78, { cause: error });
  }
}
