import { createKafka, createProducer, type KafkaConnection, type KafkaLogger } from '@jetton-analytics/kafka';
import type { FeedRecord } from './feed-record.js';
import { oneByOne } from './one-by-one.js';
import { pause } from './pause.js';
import { UserError } from './user-error.js';

export interface FeedProducer {
  /**
   * Resolves once the broker has acknowledged the records, however long that takes: a broker that is away is asked again.
   * Rejects when it refuses them (UserError) and, once stopping has been asked for, after a short grace.
   */
  send(topic: string, records: readonly FeedRecord[]): Promise<void>;
  close(): Promise<void>;
}

export interface FeedProducerOptions {
  readonly connection: KafkaConnection;
  readonly topics: readonly string[];
  readonly logger: KafkaLogger;
  readonly signal: AbortSignal;
}

/** One request per send: the order of the sends is then the order in the log, whatever is under way side by side. */
const requestBytesMax = 1_900_000;
const backoffMinMs = 250;
const backoffMaxMs = 10_000;
const stopGraceMs = 2000;
const closeTimeoutMs = 1000;

/** Answers that asking again cannot change. */
const refusals: ReadonlySet<unknown> = new Set([
  'INVALID_TIMESTAMP',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
]);

/** Connects and looks the topics up. Throws a UserError where Kafka is out of reach or a topic is missing. */
export async function openFeedProducer(options: FeedProducerOptions): Promise<FeedProducer> {
  const { connection, topics, logger, signal } = options;
  const kafka = createKafka(connection, logger);
  const partitions = await partitionCounts(kafka.admin(), topics, connection);
  const producer = createProducer(kafka, { requestBytesMax });
  await producer.connect();
  const withPatience = patience(signal, stopGraceMs);

  const sendUntilAcknowledged = async (topic: string, records: readonly FeedRecord[]): Promise<void> => {
    const count = partitions.get(topic) ?? 1;
    const messages = records.map(({ value, timestampMs, sequence }) => ({
      value: typeof value === 'string' ? Buffer.from(value) : value,
      timestampMs,
      partition: sequence % count,
    }));
    for (let backoffMs = backoffMinMs; ; backoffMs = Math.min(backoffMs * 2, backoffMaxMs)) {
      try {
        await producer.send(topic, messages);
        return;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal) throw new UserError(`Kafka refuses records for ${topic}: ${refusal}`, 1, { cause: error });
        logger.warn({ err: error, topic, backoffMs }, 'records not acknowledged, sending them again');
        await pause(backoffMs, signal);
      }
    }
  };
  const inOrder = oneByOne(sendUntilAcknowledged);
  return {
    send: (topic, records) => withPatience(inOrder(topic, records)),
    close: () => Promise.race([producer.disconnect(), pause(closeTimeoutMs, new AbortController().signal)]),
  };
}

type Admin = ReturnType<ReturnType<typeof createKafka>['admin']>;

async function partitionCounts(
  admin: Admin,
  topics: readonly string[],
  { brokers }: KafkaConnection,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  try {
    await admin.connect();
    const known = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !known.has(topic));
    if (missing.length > 0) {
      throw new UserError(`Kafka has no topic ${missing.join(', ')}: create the topics first`, 1);
    }
    const metadata = await admin.fetchTopicMetadata({ topics: [...topics] });
    for (const { name, partitions } of metadata.topics) counts.set(name, partitions.length);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`Kafka cannot be reached at ${brokers.join(', ')}: ${why}`, 1, { cause: error });
  } finally {
    await admin.disconnect();
  }
  return counts;
}

/** kafkajs wraps what the broker said in errors of its own. */
function refusalOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('type' in at && refusals.has(at.type)) return at.message;
  }
  return undefined;
}

/**
 * Lets nobody wait longer than `graceMs` after the signal. Not by racing against one promise for all: each race would leave
 * its reaction with it for as long as the process lives.
 */
function patience(signal: AbortSignal, graceMs: number): <T>(work: Promise<T>) => Promise<T> {
  const waiting = new Set<(reason: unknown) => void>();
  const giveUp = (): void => {
    for (const reject of waiting) reject(signal.reason);
  };
  signal.addEventListener('abort', () => setTimeout(giveUp, graceMs), { once: true });
  return (work) =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
}
