import type { Admin } from 'kafkajs';
import type { Assignment } from './generation.js';
import type { PartitionPosition } from './positions.js';

export interface PartitionOffsets {
  readonly partition: number;
  /** Offset of the oldest record there is. */
  readonly low: string;
  /** Offset after the newest record. */
  readonly high: string;
}

/** Ends of each partition, in order of partition, as the brokers hold them now. */
export async function endOffsets(admin: Admin, topic: string): Promise<PartitionOffsets[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets
    .map(({ partition, low, high }) => ({ partition, low, high }))
    .sort((left, right) => left.partition - right.partition);
}

/**
 * Per partition the offset of the first record whose timestamp is at least `timestampMs`; where there is none, the offset
 * after the newest record.
 */
export async function offsetsForTime(
  admin: Admin,
  topic: string,
  timestampMs: number,
): Promise<{ partition: number; offset: string }[]> {
  const offsets = await admin.fetchTopicOffsetsByTimestamp(topic, timestampMs);
  return offsets.map(({ partition, offset }) => ({ partition, offset })).sort((a, b) => a.partition - b.partition);
}

/** Records of each partition that the group has not committed yet; from the oldest there is where it never committed. */
export async function groupLag(
  admin: Admin,
  groupId: string,
  topic: string,
): Promise<{ partition: number; lag: string }[]> {
  const ends = await endOffsets(admin, topic);
  const partitions = ends.map(({ partition }) => partition);
  const positions = await startPositions(admin, groupId, { [topic]: partitions });
  const next = new Map(positions.map(({ partition, nextOffset }) => [partition, BigInt(nextOffset)]));
  return ends.map(({ partition, high }) => {
    const lag = BigInt(high) - (next.get(partition) ?? 0n);
    return { partition, lag: (lag > 0n ? lag : 0n).toString() };
  });
}

/** Where a group's consumption starts: at the committed offset, else at the oldest record there is. */
export async function startPositions(
  admin: Admin,
  groupId: string,
  assignment: Assignment,
): Promise<PartitionPosition[]> {
  const topics = Object.keys(assignment).filter((topic) => assignment[topic]?.length);
  if (topics.length === 0) return [];
  const committed = await admin.fetchOffsets({ groupId, topics });
  const perTopic = topics.map(async (topic) => {
    const owned = new Set(assignment[topic]);
    const known = committed.find((entry) => entry.topic === topic)?.partitions ?? [];
    const nextOffset = new Map(known.map(({ partition, offset }) => [partition, offset]));
    const unknown = [...owned].filter((partition) => BigInt(nextOffset.get(partition) ?? -1) < 0n);
    if (unknown.length > 0) {
      for (const { partition, low } of await endOffsets(admin, topic)) {
        if (unknown.includes(partition)) nextOffset.set(partition, low);
      }
    }
    return [...owned].map((partition) => ({ topic, partition, nextOffset: nextOffset.get(partition) ?? '0' }));
  });
  return (await Promise.all(perTopic)).flat();
}
