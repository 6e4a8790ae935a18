import { createHash } from 'node:crypto';
import kafkajs from 'kafkajs';
import type { MessageHeaders } from './consumed-batch.js';
import type { ProducedRecord } from './produced-record.js';
import type { KafkaProducer } from './producer.js';

/** A record that cannot be processed, and where and why it failed. */
export interface DeadLetter {
  /** Topic, partition and offset it was read from. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** Its own timestamp, ms since 1970. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: MessageHeaders;
  readonly stage: string;
  readonly reason: string;
  /** For the reader's eyes; cut to 1,000 characters. */
  readonly detail?: string;
}

export interface DeadLetters {
  /**
   * Resolves once every letter is acknowledged in the dead-letter topic of its source: the original key, bytes and
   * headers, plus dlq-topic, dlq-partition, dlq-offset, dlq-timestamp, dlq-stage, dlq-reason (and dlq-detail). A letter the
   * broker finds too large is kept as its first 64 KiB, with the headers truncated, length and sha256 of the whole.
   * @throws what the producer throws: the caller must not move its offset, so the consumer stops or tries again.
   */
  send(letters: readonly DeadLetter[]): Promise<void>;
}

const keptBytes = 64 * 1024;
const detailCharactersMax = 1_000;

/** `topicOf` names the dead-letter topic of a source topic. */
export function deadLetters(
  producer: Pick<KafkaProducer, 'send'>,
  topicOf: (topic: string) => string = (topic) => `${topic}.dlq`,
): DeadLetters {
  return {
    async send(letters) {
      const perTopic = Map.groupBy(letters, ({ topic }) => topicOf(topic));
      await Promise.all([...perTopic].map(([topic, ofTopic]) => sendTo(producer, topic, ofTopic)));
    },
  };
}

async function sendTo(producer: Pick<KafkaProducer, 'send'>, topic: string, letters: readonly DeadLetter[]) {
  try {
    await producer.send(topic, letters.map(toRecord));
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    // Which one was refused is not told. Letters that were taken already come twice; none is left out.
    for (const letter of letters) await sendOne(producer, topic, letter);
  }
}

async function sendOne(producer: Pick<KafkaProducer, 'send'>, topic: string, letter: DeadLetter): Promise<void> {
  try {
    await producer.send(topic, [toRecord(letter)]);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    await producer.send(topic, [truncated(letter)]);
  }
}

function toRecord(letter: DeadLetter): ProducedRecord {
  const { key, value } = letter;
  return {
    key,
    value,
    headers: {
      ...letter.headers,
      'dlq-topic': letter.topic,
      'dlq-partition': String(letter.partition),
      'dlq-offset': letter.offset,
      'dlq-timestamp': String(letter.timestamp),
      'dlq-stage': letter.stage,
      'dlq-reason': letter.reason,
      ...(letter.detail !== undefined && { 'dlq-detail': letter.detail.slice(0, detailCharactersMax) }),
    },
  };
}

function truncated(letter: DeadLetter): ProducedRecord {
  const record = toRecord(letter);
  const whole = letter.value ?? Buffer.alloc(0);
  return {
    ...record,
    value: whole.subarray(0, keptBytes),
    headers: {
      ...record.headers,
      truncated: 'true',
      length: String(whole.length),
      sha256: createHash('sha256').update(whole).digest('hex'),
    },
  };
}

function isTooLarge(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof kafkajs.KafkaJSProtocolError) {
      return cause.type === 'MESSAGE_TOO_LARGE' || cause.type === 'RECORD_LIST_TOO_LARGE';
    }
  }
  return false;
}
