import { clickhouseSettings } from '@jetton-analytics/clickhouse';
import { feedSettings, networkSettings } from '@jetton-analytics/feed';
import { kafkaSettings, sourceKafkaSettings, statesGroupId } from '@jetton-analytics/kafka';
import { postgresSettings } from '@jetton-analytics/postgres';
import { feedTopicSettings, publicationSettings, watermarkSettings } from '@jetton-analytics/rollups';
import { z } from 'zod';

const { DEX_POOLS_TOPIC, JETTON_METADATA_TOPIC, BALANCES_TOPIC } = feedSettings;
const stateTopics = { DEX_POOLS_TOPIC, JETTON_METADATA_TOPIC, BALANCES_TOPIC };

/** Settings by what a command needs: it reads those alone, so that a wrong one of another part does not stop it. */
export const PostgresEnv = z.object(postgresSettings);
export const LabelsEnv = z.object({ ...postgresSettings, ...networkSettings });
export const FeedKafkaEnv = z.object({ ...kafkaSettings, ...sourceKafkaSettings, ...stateTopics });
export const FeedEnv = z.object({ ...kafkaSettings, ...sourceKafkaSettings, ...feedSettings });
export const TopicsEnv = z.object({
  ...kafkaSettings,
  ...sourceKafkaSettings,
  ...feedSettings,
  ...publicationSettings,
  ...watermarkSettings,
  ...feedTopicSettings,
});
export const StatusEnv = z.object({ ...clickhouseSettings, ...kafkaSettings, ...sourceKafkaSettings, ...feedSettings });
export const RebuildEnv = z.object({ ...clickhouseSettings, ...feedSettings });
export const ExplainEnv = z.object({ ...clickhouseSettings, ...postgresSettings, ...feedSettings, ...networkSettings });

/** Topics of the feed by their names of the settings, trades first. */
export const feedTopicsOf = (settings: z.infer<typeof FeedEnv>): string[] => [
  settings.DEX_TRADES_TOPIC,
  settings.DEX_POOLS_TOPIC,
  settings.JETTON_METADATA_TOPIC,
  settings.BALANCES_TOPIC,
];

/** The consumer group under which a topic of the feed is read. */
export function groupIdOf(settings: z.infer<typeof FeedKafkaEnv>, topic: string): string {
  const states = [settings.DEX_POOLS_TOPIC, settings.JETTON_METADATA_TOPIC, settings.BALANCES_TOPIC];
  return states.includes(topic) ? statesGroupId(settings) : settings.SOURCE_KAFKA_GROUP_ID;
}
