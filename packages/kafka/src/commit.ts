import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type EachBatchPayload } from 'kafkajs';
import type { KafkaLogger } from './client.js';
import { type BackoffOptions, backoffMs } from './deadline.js';
import { FatalConsumerError } from './errors.js';
import type { Generation, Membership } from './generation.js';
import { isMembershipLost } from './heartbeats.js';

/**
 * Commits `nextOffset` for the batch's partition and waits for the acknowledgement. Connection failures are retried for
 * as long as the generation lives.
 * @throws StaleGenerationError, and FatalConsumerError when the coordinator refuses for good (no rights, too large).
 */
export async function commitOffset(
  payload: EachBatchPayload,
  nextOffset: string,
  generation: Generation,
  membership: Membership,
  { backoff, logger }: { readonly backoff: BackoffOptions; readonly logger: KafkaLogger },
): Promise<void> {
  const { topic, partition } = payload.batch;
  for (let attempt = 0; ; attempt += 1) {
    generation.assertCurrent();
    try {
      // kafkajs sends the generation it is in at this very moment: nothing may be awaited between the check and this.
      await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: nextOffset }] }] });
      return;
    } catch (error) {
      if (isMembershipLost(error)) membership.end(generation);
      generation.assertCurrent();
      if (error instanceof kafkajs.KafkaJSProtocolError && !error.retriable) {
        throw new FatalConsumerError(`${topic}, partition ${partition}: the commit was refused: ${error.message}`, {
          cause: error,
        });
      }
      logger.warn({ topic, partition, nextOffset, attempt, err: error }, 'a commit failed and is tried again');
      await sleep(backoffMs(attempt, backoff, Math.random()));
    }
  }
}
