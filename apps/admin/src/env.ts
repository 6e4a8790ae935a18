import { clickhouseSettings } from '@jetton-analytics/clickhouse';
import { feedSettings, networkSettings } from '@jetton-analytics/feed';
import { kafkaSettings, sourceKafkaSettings } from '@jetton-analytics/kafka';
import { postgresSettings } from '@jetton-analytics/postgres';
import { z } from 'zod';

/** Settings by what a command needs: it reads those alone, so that a wrong one of another part does not stop it. */
export const PostgresEnv = z.object(postgresSettings);
export const LabelsEnv = z.object({ ...postgresSettings, ...networkSettings });
export const KafkaEnv = z.object({ ...kafkaSettings, ...sourceKafkaSettings });
export const StatusEnv = z.object({ ...clickhouseSettings, ...kafkaSettings, ...sourceKafkaSettings, ...feedSettings });
export const ExplainEnv = z.object({ ...clickhouseSettings, ...postgresSettings, ...feedSettings, ...networkSettings });
