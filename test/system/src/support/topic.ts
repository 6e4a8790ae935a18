import { Kafka, logLevel, type Message } from 'kafkajs';
import { pollUntil } from '@jetton-analytics/testing';
import type { FeedRecord } from '../oracle/parse-message.js';

/** A record as it is to be produced: which partition, with which key and headers. */
export interface ProducedRecord extends FeedRecord {
  readonly partition: number;
  readonly key?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DeadLetter {
  readonly key: string | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** `partition/offset` of each record, where they are the first ones a topic receives, from one producer. */
export function positionsOf(records: readonly ProducedRecord[]): Map<ProducedRecord, string> {
  const next = new Map<number, number>();
  return new Map(
    records.map((record) => {
      const offset = next.get(record.partition) ?? 0;
      next.set(record.partition, offset + 1);
      return [record, `${record.partition}/${offset}`];
    }),
  );
}

const batchRecordsMax = 2_000;
const headersOf = (headers: Message['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));

/** A topic of the feed as a test sees it: produces into it, knows its end, reads its dead letters. */
export class FeedTopic {
  readonly #kafka: Kafka;

  constructor(
    brokers: string[],
    readonly name: string,
  ) {
    this.#kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  }

  /** Resolves once all are acknowledged, in this order within each partition. */
  async produce(records: readonly ProducedRecord[]): Promise<void> {
    const producer = this.#kafka.producer({ maxInFlightRequests: 1, allowAutoTopicCreation: false });
    await producer.connect();
    for (let from = 0; from < records.length; from += batchRecordsMax) {
      const messages = records.slice(from, from + batchRecordsMax).map((record) => ({
        partition: record.partition,
        key: record.key ?? null,
        value: record.value,
        timestamp: String(record.recordMs),
        headers: record.headers ?? {},
      }));
      await producer.send({ topic: this.name, messages, acks: -1 });
    }
    await producer.disconnect();
  }

  /** How many records the topic holds, over its partitions. */
  async recordCount(): Promise<bigint> {
    const admin = this.#kafka.admin();
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(this.name);
    await admin.disconnect();
    return offsets.reduce((sum, { high, low }) => sum + BigInt(high) - BigInt(low), 0n);
  }

  /** Everything in `<topic>.dlq`, read until at least `expected` letters are there. */
  async deadLetters(groupId: string, expected: number): Promise<DeadLetter[]> {
    const consumer = this.#kafka.consumer({ groupId });
    await consumer.connect();
    await consumer.subscribe({ topic: `${this.name}.dlq`, fromBeginning: true });
    const letters: DeadLetter[] = [];
    await consumer.run({
      eachMessage: async ({ message: { key, value, headers } }) => {
        letters.push({ key: key?.toString() ?? null, value, headers: headersOf(headers) });
      },
    });
    try {
      await pollUntil(() => letters.length >= expected, { what: `${expected} dead letters`, timeoutMs: 120_000 });
    } finally {
      await consumer.disconnect();
    }
    return letters;
  }
}
