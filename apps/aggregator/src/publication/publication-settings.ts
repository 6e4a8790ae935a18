import { integerSetting } from '@jetton-analytics/service/process';
import { z } from 'zod';

/** Settings of the topics for internal subscribers. */
export const publicationSettings = {
  ROLLUP_TOPICS: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on: buckets and statistics are published in Kafka for internal subscribers'),
  ROLLUP_TOPIC_PREFIX: z.string().default('').describe('put in front of the names of the rollup topics'),
  ROLLUP_OPEN_SECONDS: integerSetting(1, 3_600)
    .prefault('10')
    .describe('least seconds between two records of an hour or day that is not over'),
  ROLLUP_PARTITIONS: integerSetting(1, 1_000)
    .prefault('4')
    .describe('partitions of each rollup topic when it is created'),
};
