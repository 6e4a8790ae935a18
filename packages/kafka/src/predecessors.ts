import type { Admin, Kafka } from 'kafkajs';
import type { KafkaLogger } from './client.js';
import { withCluster } from './cluster-client.js';
import { withDeadline } from './deadline.js';

const timeoutMs = 5_000;

export interface DismissOptions {
  readonly kafka: Kafka;
  /** Connected. */
  readonly admin: Admin;
  readonly groupId: string;
  /** Borne by one process at a time. */
  readonly clientId: string;
  readonly logger: KafkaLogger;
}

/**
 * Has the members of the group that bear this client id leave it. Called by a process before it joins: who bore its name
 * before is dead, and the group need not wait for its session to end. One that lives all the same joins again and loses
 * its batch in hand, nothing else. Never throws; what fails is left to the session timeout.
 */
export async function dismissPredecessors(options: DismissOptions): Promise<void> {
  const { kafka, admin, groupId, clientId, logger } = options;
  const dismiss = async () => {
    const { groups } = await admin.describeGroups([groupId]);
    const gone = groups.flatMap(({ members }) => members.filter((member) => member.clientId === clientId));
    if (gone.length === 0) return;
    for (const { memberId } of gone) await dismissMember(kafka, groupId, memberId);
    logger.info({ groupId, clientId, members: gone.length }, 'a dead predecessor has left the group');
  };
  try {
    await withDeadline(dismiss(), timeoutMs, 'dismissing predecessors');
  } catch (error) {
    logger.warn({ err: error, groupId, clientId }, 'a predecessor stays in the group until its session ends');
  }
}

/**
 * Has a member leave its group, on behalf of it.
 * @throws DeadlineError, and kafkajs errors: UNKNOWN_MEMBER_ID where it is gone already.
 */
export async function dismissMember(kafka: Kafka, groupId: string, memberId: string): Promise<void> {
  await withCluster(kafka, `dismissing ${memberId} from ${groupId}`, async (cluster) => {
    const coordinator = await cluster.findGroupCoordinator({ groupId });
    await coordinator.leaveGroup({ groupId, memberId });
  });
}
