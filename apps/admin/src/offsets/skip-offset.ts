import {
  commitForEmptyGroup,
  type DeadLetters,
  type PartitionOffset,
  type UndecodableBatchError,
} from '@jetton-analytics/kafka';
import { AdminError } from '../admin-error.js';
import { type GroupView, placeOf } from './group-place.js';

type Kafka = Parameters<typeof commitForEmptyGroup>[0];

export interface Skip {
  readonly groupId: string;
  readonly batch: UndecodableBatchError;
  readonly by: string;
  readonly at: string;
}

/** Stage and reason of the dead letter of a batch that no consumer can decode. */
const stage = 'fetch';
const reason = 'undecodable_batch';

export const nextOffsetOf = ({ extent }: UndecodableBatchError): string => (BigInt(extent.lastOffset) + 1n).toString();

/**
 * Checks that the group stands at the batch. Returns false where it is behind it already.
 * @throws AdminError where good records would be skipped, or where the batch's own header is not to be believed
 */
export function standsAt(batch: UndecodableBatchError, group: GroupView): boolean {
  const first = BigInt(batch.offset);
  const last = BigInt(batch.extent.lastOffset);
  if (last < first || last >= BigInt(group.high)) {
    throw new AdminError(
      'refused',
      `the header of the batch at offset ${first} is broken too: it says that its last offset is ${last}, and the log ends ` +
        `at ${group.high}. Move the group with Kafka's own tools once you know where the next batch begins`,
    );
  }
  const place = BigInt(placeOf(group));
  if (place > last) return false;
  if (place < first) {
    throw new AdminError(
      'refused',
      `the group stands at offset ${place}: ${first - place} records before the batch at ${first} are not consumed yet. ` +
        'Let the aggregator run until it stops at the batch',
    );
  }
  return true;
}

/**
 * Records the batch among the dead letters, without a value, and then moves the group behind it. The letter is
 * acknowledged first; should the commit fail, the command is repeated and there are two letters.
 * @throws AdminError where the group has come to life meanwhile
 */
export async function skipOffset(source: Kafka, letters: DeadLetters, { groupId, batch, by, at }: Skip): Promise<void> {
  const { topic, partition, offset, extent } = batch;
  await letters.send([
    {
      topic,
      partition,
      offset,
      timestamp: extent.timestampMs,
      key: null,
      value: null,
      headers: { 'dlq-last-offset': extent.lastOffset, 'dlq-skipped-by': by, 'dlq-skipped-at': at },
      stage,
      reason,
      detail: batch.reason,
    },
  ]);
  const next: PartitionOffset = { topic, partition, offset: nextOffsetOf(batch) };
  try {
    await commitForEmptyGroup(source, groupId, next);
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'UNKNOWN_MEMBER_ID') throw error;
    throw new AdminError(
      'refused',
      `a member has joined the group ${groupId} meanwhile: its offset was not moved. The dead letter is written; stop the ` +
        'aggregators and repeat the command',
    );
  }
}
