import { feedSettings } from '@jetton-analytics/feed';
import { createKafka, ensureTopics, kafkaSettings, resolveConnections } from '@jetton-analytics/kafka';
import { expectedTopics, feedTopicSettings, publicationSettings, watermarkSettings } from '@jetton-analytics/rollups';
import { createLogger, loadSettings } from '@jetton-analytics/service/process';
import { z } from 'zod';
import { oneShot } from './one-shot.js';

const TopicsEnv = z.object({
  ...kafkaSettings,
  ...feedSettings,
  ...publicationSettings,
  ...watermarkSettings,
  ...feedTopicSettings,
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
    const { created, altered } = await ensureTopics(admin, expectedTopics(settings, feedNames));
    const changes = [...created.map((name) => `created ${name}`), ...altered.map((name) => `set ${name}`)];
    return changes.length === 0 ? 'Kafka: all topics are there' : `Kafka: ${changes.join(', ')}`;
  } finally {
    await admin.disconnect();
  }
});
