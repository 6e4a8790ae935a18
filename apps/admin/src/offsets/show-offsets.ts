import { createKafka, endOffsets, resolveConnections } from '@jetton-analytics/kafka';
import { loadSettings } from '@jetton-analytics/service/process';
import { FeedEnv, feedTopicsOf, groupIdOf } from '../env.js';
import { type KafkaAdmin, withAdmin } from '../kafka-admin.js';
import type { Report, Session } from '../session.js';
import { silent } from '../silent.js';
import { fields, table } from '../table.js';

/** Where a group stands in one partition. */
interface PartitionPlace {
  readonly partition: number;
  readonly low: string;
  readonly high: string;
  /** null: nothing committed yet. */
  readonly committed: string | null;
  readonly lag: string;
}

/** Every partition of a topic and what the group has committed there. The topic must exist. */
export async function placesOf(admin: KafkaAdmin, groupId: string, topic: string): Promise<PartitionPlace[]> {
  const [ends, [offsets]] = await Promise.all([
    endOffsets(admin, topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  return ends.map(({ partition, low, high }) => {
    const found = offsets?.partitions.find((one) => one.partition === partition)?.offset ?? '-1';
    const committed = BigInt(found) < 0n ? null : found;
    const lag = BigInt(high) - BigInt(committed ?? low);
    return { partition, low, high, committed, lag: (lag > 0n ? lag : 0n).toString() };
  });
}

/** `offsets show`: where the groups of the feed stand, partition by partition. */
export async function showOffsets(session: Session): Promise<Report> {
  const settings = loadSettings(FeedEnv, session.env);
  return withAdmin(createKafka(resolveConnections(settings).source, silent), async (admin) => {
    const existing = new Set(await admin.listTopics());
    const topics = feedTopicsOf(settings).filter((topic) => existing.has(topic));
    const groupIds = [...new Set(topics.map((topic) => groupIdOf(settings, topic)))];
    const { groups } = await admin.describeGroups(groupIds);
    const places = await Promise.all(
      topics.map(async (topic) => {
        const groupId = groupIdOf(settings, topic);
        return { topic, groupId, partitions: await placesOf(admin, groupId, topic) };
      }),
    );
    const states = groupIds.map((groupId) => {
      const group = groups.find((one) => one.groupId === groupId);
      return { groupId, state: group?.state ?? 'Dead', members: group?.members.length ?? 0 };
    });
    const rows = places.flatMap(({ topic, partitions }) =>
      partitions.map((one) => [topic, String(one.partition), one.committed ?? '-', one.low, one.high, one.lag]),
    );
    return {
      json: { groups: states, topics: places },
      lines: [
        ...fields(states.map(({ groupId, state, members }) => ['group', `${groupId}: ${state}, ${members} members`])),
        '',
        ...table(['topic', 'partition', 'committed', 'oldest', 'end', 'not consumed'], rows),
      ],
    };
  });
}
