import type { Kafka, KafkaMessage } from 'kafkajs';
import { type Cluster, readUncommitted, withCluster } from './cluster-client.js';
import { type ConsumedMessage, consumedMessage } from './consumed-batch.js';

/** Records of one partition, and where to go on. */
export interface RecordsRead {
  /** In order of offset; control records are left out. */
  readonly records: readonly ConsumedMessage[];
  /** The offset after the last one that was looked at; `to` when all are read. */
  readonly nextOffset: string;
}

export interface RecordRange {
  readonly topic: string;
  readonly partition: number;
  /** Offsets [from, to), decimal text; `from` must lie in the log, `to` must not lie behind its end. */
  readonly from: string;
  readonly to: string;
}

interface FetchedPartition {
  readonly partition: number;
  readonly messages: readonly (KafkaMessage & { readonly isControlRecord?: boolean })[];
}
interface FetchAnswer {
  readonly responses: readonly { readonly topicName: string; readonly partitions: readonly FetchedPartition[] }[];
}

const recordsMax = 20_000;
const bytesPerFetch = 4 * 1024 * 1024;
const fetchWaitMs = 100;

/**
 * Reads the next records of a partition, in no group and without committing anything: at most some 20,000, a whole answer
 * of the broker more or less. To be called again with `nextOffset` until that is `to`.
 * @throws DeadlineError after 30 s, UndecodableBatchError, and kafkajs errors when the partition cannot be read.
 */
export function readRecords(kafka: Kafka, range: RecordRange): Promise<RecordsRead> {
  const { topic, partition, from, to } = range;
  if (BigInt(from) >= BigInt(to)) return Promise.resolve({ records: [], nextOffset: to });
  return withCluster(kafka, `reading ${topic}, partition ${partition}`, async (cluster) => {
    await cluster.addTargetTopic(topic);
    const records: ConsumedMessage[] = [];
    let next = BigInt(from);
    while (next < BigInt(to) && records.length < recordsMax) {
      const messages = await fetch(cluster, topic, partition, next);
      // With compression an answer may begin before the offset asked for, and with compaction hold nothing behind it.
      const behind = messages.filter(({ offset }) => BigInt(offset) >= next);
      for (const message of behind) {
        if (BigInt(message.offset) < BigInt(to) && message.isControlRecord !== true)
          records.push(consumedMessage(message));
      }
      const last = behind.at(-1);
      next = last === undefined ? next + 1n : BigInt(last.offset) + 1n;
    }
    return { records, nextOffset: (next < BigInt(to) ? next : BigInt(to)).toString() };
  });
}

async function fetch(cluster: Cluster, topic: string, partition: number, offset: bigint) {
  const [leader] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (leader === undefined) throw new RangeError(`${topic} has no partition ${partition}`);
  const broker = await cluster.findBroker({ nodeId: leader });
  const answer = (await broker.fetch({
    isolationLevel: readUncommitted,
    maxWaitTime: fetchWaitMs,
    maxBytes: bytesPerFetch,
    topics: [{ topic, partitions: [{ partition, fetchOffset: offset.toString(), maxBytes: bytesPerFetch }] }],
  })) as FetchAnswer;
  return (
    answer.responses.flatMap(({ partitions }) => partitions).find((one) => one.partition === partition)?.messages ?? []
  );
}
