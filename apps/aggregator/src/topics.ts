import { embeddedFeedTopics, ownTopics, rollupTopics } from '@jetton-analytics/common';
import { feedSettings } from '@jetton-analytics/feed';
import { createKafka, ensureTopics, kafkaSettings, resolveConnections } from '@jetton-analytics/kafka';
import { createLogger, integerSetting, loadSettings } from '@jetton-analytics/service/process';
import { z } from 'zod';
import { oneShot } from './one-shot.js';
import { publicationSettings } from './publication/publication-settings.js';
import { watermarkSettings } from './watermarks/watermark-settings.js';

// Our own topics always; the feed's only where asked for, since the feed may be somebody else's cluster.
const TopicsEnv = z.object({
  ...kafkaSettings,
  ...feedSettings,
  ...publicationSettings,
  ...watermarkSettings,
  CREATE_FEED_TOPICS: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: also create the topics of the feed on KAFKA_BROKERS'),
  FEED_PARTITIONS: integerSetting(1, 1_000).prefault('4').describe('partitions of the feed topics created'),
});

await oneShot(async () => {
  const settings = loadSettings(TopicsEnv);
  const feedNames = [
    settings.DEX_TRADES_TOPIC,
    settings.DEX_POOLS_TOPIC,
    settings.JETTON_METADATA_TOPIC,
    settings.BALANCES_TOPIC,
  ];
  // A topic just created answers with errors until it has leaders: that is waited for, not worth a line each.
  const logger = createLogger({ name: 'topics', level: 'error', format: 'pretty' });
  const admin = createKafka(resolveConnections(settings).own, logger).admin();
  await admin.connect();
  try {
    const { created, altered } = await ensureTopics(admin, [
      ...ownTopics(feedNames, settings.WATERMARK_TOPIC),
      ...(settings.ROLLUP_TOPICS === 'on'
        ? rollupTopics({ prefix: settings.ROLLUP_TOPIC_PREFIX, partitions: settings.ROLLUP_PARTITIONS })
        : []),
      ...(settings.CREATE_FEED_TOPICS === '1' ? embeddedFeedTopics(feedNames, settings.FEED_PARTITIONS) : []),
    ]);
    const changes = [...created.map((name) => `created ${name}`), ...altered.map((name) => `set ${name}`)];
    return changes.length === 0 ? 'Kafka: all topics are there' : `Kafka: ${changes.join(', ')}`;
  } finally {
    await admin.disconnect();
  }
});
