import kafkajs, { type Kafka, type Message, type RecordMetadata } from 'kafkajs';
import { pause, withDeadline } from './deadline.js';
import type { ProducedRecord } from './produced-record.js';
import { carryingContext, inProducerSpan } from './spans.js';

/** What the broker acknowledged for one partition of one request. */
export interface ProduceAck {
  readonly partition: number;
  /** Offset of the partition's first record of that request. */
  readonly baseOffset: string;
  /** The broker's clock at the append, on topics with LogAppendTime; null on others. */
  readonly logAppendTimeMs: number | null;
}

export interface ProducerOptions {
  /** Bound of one send() with all its retries. Default 30 s. */
  readonly sendTimeoutMs?: number;
  /** Most bytes of keys, values and headers in one request, a single larger record aside. Default 512 KiB. */
  readonly requestBytesMax?: number;
}

export interface KafkaProducer {
  connect(): Promise<void>;
  /**
   * Appends the records in order; resolves once all in-sync replicas have them (acks=-1). At least once: a retry after a
   * lost answer, and a send that missed its deadline, may append twice or late.
   * @throws DeadlineError, and kafkajs errors once the retries are used up or the broker refuses.
   */
  send(topic: string, records: readonly ProducedRecord[]): Promise<ProduceAck[]>;
  /** Waits up to 5 s for what is still being sent, then closes the connections. */
  disconnect(): Promise<void>;
}

/** How long disconnect() waits for what is still being sent. */
const disconnectTimeoutMs = 5_000;

/**
 * Not idempotent, on purpose: kafkajs 2.2.4 sets the sequence back after an error of unknown outcome and the broker then
 * answers out-of-order for good; all our readers take a record twice without harm.
 */
export function createProducer(kafka: Kafka, options: ProducerOptions = {}): KafkaProducer {
  const sendTimeoutMs = options.sendTimeoutMs ?? 30_000;
  const requestBytesMax = options.requestBytesMax ?? 512 * 1024;
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    idempotent: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 5_000 },
  });
  const sendAll = async (topic: string, records: readonly ProducedRecord[]): Promise<ProduceAck[]> => {
    const acks: ProduceAck[] = [];
    for (const run of runsOfBytes(carryingContext(records), requestBytesMax)) {
      // One request after the other: the order of the records is the order in the log.
      const metadata = await producer.send({ topic, acks: -1, timeout: sendTimeoutMs, messages: run.map(toMessage) });
      acks.push(...metadata.map(toAck));
    }
    return acks;
  };
  const pending = new Set<Promise<unknown>>();
  const track = async <T>(sending: Promise<T>): Promise<T> => {
    pending.add(sending);
    try {
      return await sending;
    } finally {
      pending.delete(sending);
    }
  };
  return {
    connect: () => producer.connect(),
    send: (topic, records) =>
      withDeadline(
        track(inProducerSpan(topic, records.length, () => sendAll(topic, records))),
        sendTimeoutMs,
        `sending to ${topic}`,
      ),
    async disconnect() {
      const waiting = new AbortController();
      await Promise.race([Promise.allSettled(pending), pause(disconnectTimeoutMs, waiting.signal)]);
      waiting.abort();
      await producer.disconnect();
    },
  };
}

/** The records in runs of at most `bytesMax`, in order; a larger record is a run of its own. */
export function* runsOfBytes(records: readonly ProducedRecord[], bytesMax: number): Generator<ProducedRecord[]> {
  let run: ProducedRecord[] = [];
  let runBytes = 0;
  for (const record of records) {
    const bytes = recordBytes(record);
    if (run.length > 0 && runBytes + bytes > bytesMax) {
      yield run;
      run = [];
      runBytes = 0;
    }
    run.push(record);
    runBytes += bytes;
  }
  if (run.length > 0) yield run;
}

/** About what a record takes on the wire before compression. */
function recordBytes({ key, value, headers }: ProducedRecord): number {
  let bytes = 32 + byteLength(key) + byteLength(value);
  for (const [name, content] of Object.entries(headers ?? {})) {
    for (const one of Array.isArray(content) ? content : [content]) bytes += 8 + name.length + byteLength(one);
  }
  return bytes;
}

const byteLength = (content: Buffer | string | null | undefined): number =>
  content === null || content === undefined ? 0 : Buffer.byteLength(content);

const toMessage = ({ key, value, headers, partition, timestampMs }: ProducedRecord): Message => ({
  key: key ?? null,
  value,
  ...(headers && { headers }),
  ...(partition !== undefined && { partition }),
  ...(timestampMs !== undefined && { timestamp: String(timestampMs) }),
});

function toAck({ partition, baseOffset, logAppendTime }: RecordMetadata): ProduceAck {
  const appendedMs = Number(logAppendTime ?? -1);
  return { partition, baseOffset: baseOffset ?? '-1', logAppendTimeMs: appendedMs < 0 ? null : appendedMs };
}
