import type { Kafka } from 'kafkajs';
import { readUncommitted, withCluster } from './cluster-client.js';
import { UndecodableBatchError } from './errors.js';

/** An offset commit of no generation: the coordinator takes it only while the group has no member. */
const noGeneration = { groupGenerationId: -1, memberId: '' };

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
 * Moves offsets of a group, in one request, without joining it. The coordinator refuses while the group has a member, so that no consumer
 * is ever overtaken.
 * @throws KafkaJSProtocolError of type UNKNOWN_MEMBER_ID where the group has a member; DeadlineError after 30 s.
 */
export async function commitForEmptyGroup(
  kafka: Kafka,
  groupId: string,
  ...offsets: readonly PartitionOffset[]
): Promise<void> {
  await withCluster(kafka, `moving the offset of ${groupId}`, async (cluster) => {
    const coordinator = await cluster.findGroupCoordinator({ groupId });
    const topics = [...Map.groupBy(offsets, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
      topic,
      partitions: ofTopic.map(({ partition, offset }) => ({ partition, offset })),
    }));
    await coordinator.offsetCommit({ groupId, ...noGeneration, topics });
  });
}
