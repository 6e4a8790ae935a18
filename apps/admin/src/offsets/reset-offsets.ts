import { commitForEmptyGroup, createKafka, offsetsForTime, resolveConnections } from '@jetton-analytics/kafka';
import { parseInstant } from '@jetton-analytics/figures';
import { loadSettings } from '@jetton-analytics/service/process';
import { AdminError } from '../admin-error.js';
import { type KafkaAdmin, withAdmin } from '../kafka-admin.js';
import { FeedEnv, feedTopicsOf, groupIdOf } from '../env.js';
import { journaling } from '../journal/journaling.js';
import type { CommonFlags, Report, Session } from '../session.js';
import { silent } from '../silent.js';
import { table } from '../table.js';
import { placesOf } from './show-offsets.js';
import { untilNotLive } from './until-not-live.js';

export interface ResetFlags extends CommonFlags {
  readonly to: string;
  readonly topic?: string;
  readonly group?: string;
  readonly wait: number;
}

interface Move {
  readonly topic: string;
  readonly groupId: string;
  readonly partition: number;
  readonly from: string | null;
  readonly to: string;
}

/** Where to: the oldest record, or the first one from an instant on (Unix seconds). @throws AdminError */
function readTarget(text: string): 'earliest' | number {
  if (text === 'earliest') return 'earliest';
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new AdminError(
    'usage',
    `--to: expected earliest or an instant like 2026-01-31T12:00:00Z, got ${JSON.stringify(text)}`,
  );
}

async function movesOf(admin: KafkaAdmin, topic: string, groupId: string, to: 'earliest' | number): Promise<Move[]> {
  const places = await placesOf(admin, groupId, topic);
  const atTime = to === 'earliest' ? [] : await offsetsForTime(admin, topic, to * 1_000);
  return places.map(({ partition, low, high, committed }) => {
    const found = to === 'earliest' ? low : (atTime.find((one) => one.partition === partition)?.offset ?? high);
    // No record is that new: then the end, as for consumers that only want what comes.
    return { topic, groupId, partition, from: committed, to: BigInt(found) < 0n ? high : found };
  });
}

/**
 * `offsets reset`: moves the groups of the feed. What is read again changes no figure that is right; what is stepped over
 * is not in the figures until it is read.
 * @throws AdminError while a group has a member, naming its members
 */
export async function resetOffsets(session: Session, flags: ResetFlags): Promise<Report> {
  const settings = loadSettings(FeedEnv, session.env);
  const to = readTarget(flags.to);
  const by = session.actor();
  const { dryRun } = session;
  const kafka = createKafka(resolveConnections(settings).source, silent);
  return withAdmin(kafka, async (admin) => {
    const existing = new Set(await admin.listTopics());
    if (flags.topic !== undefined && !existing.has(flags.topic)) {
      throw new AdminError('refused', `there is no topic ${flags.topic}`);
    }
    const topics =
      flags.topic === undefined ? feedTopicsOf(settings).filter((name) => existing.has(name)) : [flags.topic];
    const groupOf = (topic: string) => flags.group ?? groupIdOf(settings, topic);
    const moves = (await Promise.all(topics.map((topic) => movesOf(admin, topic, groupOf(topic), to)))).flat();
    const due = moves.filter((move) => move.from !== move.to);
    const groupIds = [...new Set(due.map(({ groupId }) => groupId))];
    for (const groupId of groupIds) await untilNotLive(admin, groupId, dryRun ? 0 : flags.wait);
    if (!dryRun && due.length > 0) {
      await journaling(session, 'offsets reset', { to: flags.to, topics }, async () => {
        for (const [groupId, ofGroup] of Map.groupBy(due, (move) => move.groupId))
          await commit(kafka, groupId, ofGroup);
        return { moved: due };
      });
    }
    const rows = due.map((move) => [move.topic, String(move.partition), move.groupId, move.from ?? '-', move.to]);
    return {
      json: { to: flags.to, moved: due, unchanged: moves.length - due.length, dryRun, by },
      lines: [
        `${dryRun ? 'would move' : 'moved'} ${due.length} of ${moves.length} partitions`,
        ...(rows.length === 0 ? [] : ['', ...table(['topic', 'partition', 'group', 'from', 'to'], rows)]),
      ],
    };
  });
}

async function commit(kafka: ReturnType<typeof createKafka>, groupId: string, moves: readonly Move[]): Promise<void> {
  try {
    await commitForEmptyGroup(
      kafka,
      groupId,
      ...moves.map(({ topic, partition, to }) => ({ topic, partition, offset: to })),
    );
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'UNKNOWN_MEMBER_ID') throw error;
    throw new AdminError('refused', `a member has joined the group ${groupId} meanwhile: its offsets were not moved`);
  }
}
