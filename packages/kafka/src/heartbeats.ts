import kafkajs from 'kafkajs';
import type { KafkaLogger } from './client.js';
import { asError } from './errors.js';
import type { Generation, Membership } from './generation.js';

const lossTypes = new Set([
  'REBALANCE_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
]);

/** Whether the coordinator's answer means that the partitions are, or are about to be, somebody else's. */
export const isMembershipLost = (error: unknown): boolean =>
  error instanceof kafkajs.KafkaJSProtocolError && lossTypes.has(error.type);

export interface Heartbeats {
  /** One heartbeat now. Never throws: what it learns shows in the generation. */
  beat(): Promise<void>;
  stop(): void;
}

/**
 * Sends a heartbeat every `everyMs` until stopped. An answer that the group rebalances ends the generation; a connection
 * error does not: the session outlives it, or the generation ends by itself with the session's length.
 */
export function keepBeating(
  heartbeat: () => Promise<void>,
  generation: Generation,
  membership: Membership,
  everyMs: number,
  logger: KafkaLogger,
): Heartbeats {
  const beat = async () => {
    try {
      await heartbeat();
    } catch (error) {
      if (isMembershipLost(error)) membership.end(generation);
      else logger.warn({ err: asError(error) }, 'a heartbeat failed');
    }
    if (!generation.isCurrent()) membership.end(generation);
  };
  const timer = setInterval(() => void beat(), everyMs);
  return { beat, stop: () => clearInterval(timer) };
}
