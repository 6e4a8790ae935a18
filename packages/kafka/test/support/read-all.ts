import type { Kafka } from 'kafkajs';
import { type ConsumedMessage, followCompactedTopic } from '../../src/index.js';
import { silent } from './silent.js';

/** Everything that is in the topic now. */
export async function readAll(kafka: Kafka, topic: string): Promise<(ConsumedMessage & { partition: number })[]> {
  const records: (ConsumedMessage & { partition: number })[] = [];
  const follower = followCompactedTopic(kafka, { topic, logger: silent, onRecord: (record) => records.push(record) });
  await follower.caughtUp;
  await follower.stop();
  return records;
}
