import {
  embeddedFeedTopics,
  ownTopics,
  rollupTopics,
  type TopicContract,
  watermarkTopic,
} from '@jetton-analytics/common';
import { integerSetting } from '@jetton-analytics/service/process';
import { z } from 'zod';

/** Setting of the topic by which aggregators tell how far they are. */
export const watermarkSettings = {
  WATERMARK_TOPIC: z.string().min(1).default(watermarkTopic).describe('compacted topic of the watermarks'),
};

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

/** Settings of the step that makes topics, besides those above. */
export const feedTopicSettings = {
  CREATE_FEED_TOPICS: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: also create the topics of the feed on KAFKA_BROKERS'),
  FEED_PARTITIONS: integerSetting(1, 1_000).prefault('4').describe('partitions of the feed topics created'),
};

type TopicEnv = z.infer<z.ZodObject<typeof watermarkSettings & typeof publicationSettings & typeof feedTopicSettings>>;

/**
 * The topics that the service needs on its own cluster: its own always, those for subscribers where they are published,
 * the feed's only where asked for, since the feed may be somebody else's cluster. `feedNames`: the feed's topics.
 */
export function expectedTopics(settings: TopicEnv, feedNames: readonly string[]): TopicContract[] {
  return [
    ...ownTopics(feedNames, settings.WATERMARK_TOPIC),
    ...(settings.ROLLUP_TOPICS === 'on'
      ? rollupTopics({ prefix: settings.ROLLUP_TOPIC_PREFIX, partitions: settings.ROLLUP_PARTITIONS })
      : []),
    ...(settings.CREATE_FEED_TOPICS === '1' ? embeddedFeedTopics(feedNames, settings.FEED_PARTITIONS) : []),
  ];
}
