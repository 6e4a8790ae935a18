import type { KafkaAdmin } from '../kafka-admin.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { AdminError } from '../admin-error.js';

const restingStates = new Set(['Empty', 'Dead']);
const pollMs = 500;

/**
 * Waits until the group has no member: one that was killed counts until its session is over. Asks at least once.
 * @throws AdminError naming the members that are still there after `waitSeconds`
 */
export async function untilNotLive(admin: KafkaAdmin, groupId: string, waitSeconds: number): Promise<void> {
  const end = performance.now() + waitSeconds * 1_000;
  for (;;) {
    const { groups } = await admin.describeGroups([groupId]);
    const [group] = groups;
    if (group === undefined || restingStates.has(group.state)) return;
    if (performance.now() >= end) {
      const members = group.members.map(({ clientId, clientHost }) => `${clientId} at ${clientHost}`);
      throw new AdminError(
        'refused',
        `the group ${groupId} is live (${group.state}): stop its consumers first, or give those that were killed time to ` +
          'be noticed with --wait',
        members,
      );
    }
    await sleep(pollMs);
  }
}
