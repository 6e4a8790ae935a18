import type { KafkaAdmin } from '../kafka-admin.js';
import { endOffsets } from '@jetton-analytics/kafka';
import { AdminError } from '../admin-error.js';

/** A group and one partition of its topic. */
export interface GroupView {
  /** Offset of the oldest record, and the one after the newest. */
  readonly low: string;
  readonly high: string;
  /** What the group has committed; undefined: nothing yet. */
  readonly committed: string | undefined;
}

/** Ends of the partition and what the group has committed. @throws AdminError where there is no such topic or partition */
export async function viewGroup(
  admin: KafkaAdmin,
  groupId: string,
  topic: string,
  partition: number,
): Promise<GroupView> {
  if (!(await admin.listTopics()).includes(topic)) throw new AdminError('refused', `there is no topic ${topic}`);
  const ends = (await endOffsets(admin, topic)).find((entry) => entry.partition === partition);
  if (ends === undefined) throw new AdminError('refused', `${topic} has no partition ${partition}`);
  const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const committed = offsets?.partitions.find((entry) => entry.partition === partition)?.offset ?? '-1';
  return { low: ends.low, high: ends.high, committed: BigInt(committed) < 0n ? undefined : committed };
}

/** Where the group would go on: at its committed offset, or at the oldest record where that is not in the log. */
export function placeOf({ low, high, committed }: GroupView): string {
  const isInLog = committed !== undefined && BigInt(committed) >= BigInt(low) && BigInt(committed) <= BigInt(high);
  return isInLog ? committed : low;
}
