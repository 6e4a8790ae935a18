import type { Admin } from 'kafkajs';
import type { Assignment } from './generation.js';
import type { OffsetGap, PartitionPosition } from './positions.js';

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
  const { positions } = await startPositions(admin, groupId, { [topic]: partitions });
  const next = new Map(positions.map(({ partition, nextOffset }) => [partition, BigInt(nextOffset)]));
  return ends.map(({ partition, high }) => {
    const lag = BigInt(high) - (next.get(partition) ?? 0n);
    return { partition, lag: (lag > 0n ? lag : 0n).toString() };
  });
}

/** Where a group's consumption starts, and what it will miss there. */
export interface Start {
  readonly positions: PartitionPosition[];
  readonly gaps: OffsetGap[];
}

/**
 * At the committed offset; at the oldest record there is where none was committed, or where the committed one lies outside
 * the log. The latter is a gap.
 */
export async function startPositions(admin: Admin, groupId: string, assignment: Assignment): Promise<Start> {
  const topics = Object.keys(assignment).filter((topic) => assignment[topic]?.length);
  if (topics.length === 0) return { positions: [], gaps: [] };
  const committed = await admin.fetchOffsets({ groupId, topics });
  const ends = new Map(
    await Promise.all(topics.map(async (topic) => [topic, await endOffsets(admin, topic)] as const)),
  );
  const start: Start = { positions: [], gaps: [] };
  for (const { topic, partitions } of committed) {
    for (const { partition, offset } of partitions) {
      const end = ends.get(topic)?.find((entry) => entry.partition === partition);
      if (!assignment[topic]?.includes(partition) || !end) continue;
      const next = BigInt(offset);
      const isInLog = next >= BigInt(end.low) && next <= BigInt(end.high);
      start.positions.push({ topic, partition, nextOffset: isInLog ? offset : end.low });
      // Negative: nothing was ever committed.
      if (isInLog || next < 0n) continue;
      start.gaps.push({ topic, partition, from: offset, to: end.low, rewound: next > BigInt(end.high) });
    }
  }
  return start;
}
