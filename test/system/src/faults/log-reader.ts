import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs, { type IHeaders, type Kafka } from 'kafkajs';
import { pollUntil } from '@jetton-analytics/testing';

const { CompressionCodecs, CompressionTypes } = kafkajs;
const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

/** A record as it lies in the log. */
export interface LogRecord {
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly value: Buffer | null;
  readonly timestampMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

const textHeaders = (headers: IHeaders = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The end offset of each partition. */
async function endOffsets(kafka: Kafka, topic: string): Promise<Map<number, bigint>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(topic);
    return new Map(offsets.map(({ partition, high }) => [partition, BigInt(high)]));
  } finally {
    await admin.disconnect();
  }
}

/**
 * Hands every record that the topic holds now to `onRecord`, each partition in order. Returns how many were ever written:
 * the log cleaner may have removed some.
 */
export async function readLog(
  kafka: Kafka,
  topic: string,
  groupId: string,
  onRecord: (record: LogRecord) => void,
): Promise<bigint> {
  // Our own, with Node's: rollup topics are packed by the broker.
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: { buffer: Buffer }) => pack(buffer),
    decompress: (buffer: Buffer) => unpack(buffer),
  });
  const ends = await endOffsets(kafka, topic);
  const written = [...ends.values()].reduce((sum, end) => sum + end, 0n);
  const open = new Set([...ends].filter(([, end]) => end > 0n).map(([partition]) => partition));
  if (open.size === 0) return written;
  const consumer = kafka.consumer({
    groupId,
    maxBytesPerPartition: 8 * 1024 * 1024,
    maxBytes: 32 * 1024 * 1024,
    maxWaitTimeInMs: 100,
  });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    let progressMs = performance.now();
    let crash: Error | undefined;
    consumer.on(consumer.events.CRASH, ({ payload }) => (crash = payload.error));
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      if (BigInt(payload.lastOffset) + 1n >= (ends.get(payload.partition) ?? 0n)) open.delete(payload.partition);
    });
    await consumer.run({
      autoCommit: false,
      eachBatch: async (payload) => {
        const { batch } = payload;
        progressMs = performance.now();
        for (const { offset, key, value, timestamp, headers } of batch.messages) {
          if (BigInt(offset) >= (ends.get(batch.partition) ?? 0n)) break;
          onRecord({
            partition: batch.partition,
            offset,
            key: key?.toString() ?? null,
            value,
            timestampMs: Number(timestamp),
            headers: textHeaders(headers),
          });
        }
        await payload.heartbeat();
      },
    });
    const isOver = () => open.size === 0 || crash !== undefined || performance.now() - progressMs > 60_000;
    await pollUntil(isOver, { what: `all of ${topic}`, timeoutMs: 900_000 });
    if (open.size > 0) throw new Error(`${topic} cannot be read to its end`, { cause: crash });
    return written;
  } finally {
    await consumer.disconnect();
  }
}
