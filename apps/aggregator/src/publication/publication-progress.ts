import { PublishedUpTo } from '@jetton-analytics/common';
import { followCompactedTopic, type KafkaLogger, type KafkaProducer } from '@jetton-analytics/kafka';
import type { Kafka } from 'kafkajs';

const readTimeoutMs = 60_000;

/**
 * How far hours and days of the trades topic are published, as the last leader wrote it; undefined: never.
 * @throws Error when the topic cannot be read within a minute.
 */
export async function readPublishedUpTo(
  kafka: Kafka,
  topic: string,
  tradesTopic: string,
  logger: KafkaLogger,
): Promise<PublishedUpTo | undefined> {
  const newest = await readNewest(kafka, topic, tradesTopic, logger);
  return newest === undefined ? undefined : PublishedUpTo.parse(JSON.parse(newest));
}

/** The newest value of a key of a small compacted topic; undefined: none. Throws as above. */
export async function readNewest(
  kafka: Kafka,
  topic: string,
  wanted: string,
  logger: KafkaLogger,
): Promise<string | undefined> {
  let newest: string | undefined;
  const follower = followCompactedTopic(kafka, {
    topic,
    logger,
    onRecord: ({ key, value }) => {
      if (value !== null && key?.toString() === wanted) newest = value.toString();
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${topic} was not read within ${readTimeoutMs} ms`)), readTimeoutMs);
  });
  try {
    await Promise.race([follower.caughtUp, late]);
    return newest;
  } finally {
    clearTimeout(timer);
    await follower.stop();
  }
}

/** Resolves once it is acknowledged. */
export async function writePublishedUpTo(
  producer: Pick<KafkaProducer, 'send'>,
  topic: string,
  publishedUpTo: PublishedUpTo,
): Promise<void> {
  await producer.send(topic, [{ key: publishedUpTo.tradesTopic, value: JSON.stringify(publishedUpTo) }]);
}
