import type { Kafka } from 'kafkajs';
import { withDeadline } from './deadline.js';
import { UndecodableBatchError } from './errors.js';

/** What kafkajs 2.2.4 keeps to itself: a cluster client that joins no group, and the brokers it talks to. */
interface Broker {
  fetch(request: object): Promise<unknown>;
  offsetCommit(request: object): Promise<unknown>;
}
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
  findBroker(where: { nodeId: string }): Promise<Broker>;
  findGroupCoordinator(group: { groupId: string }): Promise<Broker>;
}
type CreateCluster = (options: { allowAutoTopicCreation: boolean; isolationLevel: number }) => Cluster;

const timeoutMs = 30_000;
const readUncommitted = 0;
/** An offset commit of no generation: the coordinator takes it only while the group has no member. */
const noGeneration = { groupGenerationId: -1, memberId: '' };

async function withCluster<T>(kafka: Kafka, what: string, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const key = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  const createCluster = key && (kafka as unknown as Record<symbol, CreateCluster | undefined>)[key];
  if (createCluster === undefined) throw new TypeError('this version of kafkajs has no private cluster client');
  const cluster = createCluster({ allowAutoTopicCreation: false, isolationLevel: readUncommitted });
  const connected = async () => {
    await cluster.connect();
    return work(cluster);
  };
  try {
    return await withDeadline(connected(), timeoutMs, what);
  } finally {
    await cluster.disconnect();
  }
}

export interface PartitionOffset {
  readonly topic: string;
  readonly partition: number;
  /** Decimal text. */
  readonly offset: string;
}

/**
 * Reads the one record batch that holds `offset` from its partition's leader, in no group, as a consumer would. Returns
 * the error that stops a consumer there, or undefined when the batch can be read. The offset must lie in the log.
 * @throws DeadlineError after 30 s, and kafkajs errors when the partition cannot be read.
 */
export function undecodableBatchAt(
  kafka: Kafka,
  { topic, partition, offset }: PartitionOffset,
): Promise<UndecodableBatchError | undefined> {
  return withCluster(kafka, `reading offset ${offset} of ${topic}, partition ${partition}`, async (cluster) => {
    await cluster.addTargetTopic(topic);
    const [leader] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
    if (leader === undefined) throw new RangeError(`${topic} has no partition ${partition}`);
    const broker = await cluster.findBroker({ nodeId: leader });
    try {
      // A broker gives at least one whole batch, however small the limit.
      const partitions = [{ partition, fetchOffset: offset, maxBytes: 1 }];
      await broker.fetch({ isolationLevel: readUncommitted, maxBytes: 1, topics: [{ topic, partitions }] });
      return undefined;
    } catch (error) {
      if (error instanceof UndecodableBatchError) return error;
      throw error;
    }
  });
}

/**
 * Moves a group's offset without joining it. The coordinator refuses while the group has a member, so that no consumer
 * is ever overtaken.
 * @throws KafkaJSProtocolError of type UNKNOWN_MEMBER_ID where the group has a member; DeadlineError after 30 s.
 */
export async function commitForEmptyGroup(
  kafka: Kafka,
  groupId: string,
  { topic, partition, offset }: PartitionOffset,
): Promise<void> {
  await withCluster(kafka, `moving the offset of ${groupId}`, async (cluster) => {
    const coordinator = await cluster.findGroupCoordinator({ groupId });
    const topics = [{ topic, partitions: [{ partition, offset }] }];
    await coordinator.offsetCommit({ groupId, ...noGeneration, topics });
  });
}
