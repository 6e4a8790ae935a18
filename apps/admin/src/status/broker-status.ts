import { deadLetterTopicOf } from '@jetton-analytics/common';
import { createKafka, endOffsets, groupLag, type KafkaConnection } from '@jetton-analytics/kafka';
import { type KafkaAdmin, withAdmin } from '../kafka-admin.js';
import { silent } from '../silent.js';

interface TopicStatus {
  readonly topic: string;
  /** Absent where the cluster has no such topic. */
  readonly lag?: string;
  readonly partitions?: readonly { readonly partition: number; readonly lag: string }[];
  /** Records in the dead-letter topic; absent where there is none. */
  readonly deadLetters?: string;
}

interface GroupStatus {
  readonly groupId: string;
  /** As the broker says it: `Stable`, `Empty`, `Dead`, … */
  readonly state: string;
  readonly members: number;
}

export interface BrokerStatus {
  readonly groups: readonly GroupStatus[];
  readonly topics: readonly TopicStatus[];
}

const sumOf = (counts: readonly bigint[]): string => counts.reduce((sum, count) => sum + count, 0n).toString();

async function deadLettersOf(
  admin: KafkaAdmin,
  known: ReadonlySet<string>,
  topic: string,
): Promise<string | undefined> {
  const name = deadLetterTopicOf(topic);
  if (!known.has(name)) return undefined;
  const ends = await endOffsets(admin, name);
  return sumOf(ends.map(({ low, high }) => BigInt(high) - BigInt(low)));
}

/**
 * What the brokers say: how far the consumer group of each topic of the feed is behind on it, and how many letters are
 * dead. `groupOf` names the group of a topic.
 */
export async function brokerStatus(
  connections: { readonly own: KafkaConnection; readonly source: KafkaConnection },
  groupOf: (topic: string) => string,
  topics: readonly string[],
): Promise<BrokerStatus> {
  const deadLetters = await withAdmin(createKafka(connections.own, silent), async (admin) => {
    const known = new Set(await admin.listTopics());
    return Promise.all(topics.map((topic) => deadLettersOf(admin, known, topic)));
  });
  return withAdmin(createKafka(connections.source, silent), async (admin) => {
    const known = new Set(await admin.listTopics());
    const groupIds = [...new Set(topics.map(groupOf))];
    const { groups } = await admin.describeGroups(groupIds);
    const statuses = await Promise.all(
      topics.map(async (topic, index): Promise<TopicStatus> => {
        const letters = deadLetters[index];
        const dead = letters === undefined ? {} : { deadLetters: letters };
        if (!known.has(topic)) return { topic, ...dead };
        const partitions = await groupLag(admin, groupOf(topic), topic);
        return { topic, lag: sumOf(partitions.map(({ lag }) => BigInt(lag))), partitions, ...dead };
      }),
    );
    return {
      groups: groupIds.map((groupId) => {
        const found = groups.find((group) => group.groupId === groupId);
        return { groupId, state: found?.state ?? 'Dead', members: found?.members.length ?? 0 };
      }),
      topics: statuses,
    };
  });
}
