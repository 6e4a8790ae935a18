import type { PartitionWatermark } from '@jetton-analytics/common';

/** Behind T by more than this, a step begins anew instead of following. */
export const behindSecondsMax = 3_600;

const backlogMessages = 5_000n;
const nearSecondsMax = 30;

type Progress = Pick<PartitionWatermark, 'position' | 'endOffset'> | undefined;

/** Records that are in the topic and not written yet, of the partitions that are known. */
const waitingMessages = (watermarks: readonly Progress[]): bigint =>
  watermarks.reduce((sum, one) => (one === undefined ? sum : sum + BigInt(one.endOffset) - BigInt(one.position)), 0n);

/**
 * Whether a backlog is being consumed: many messages wait, and by the wall clock they are not just what came while the last
 * ones were written; or few of them are left of a backlog of hours, so that T is about to move on by as much.
 * `behindSeconds`: how far T is behind the wall clock; undefined by other clocks and before the first T.
 */
export function isCatchingUp(watermarks: readonly Progress[], behindSeconds: number | undefined): boolean {
  if (behindSeconds !== undefined && behindSeconds < nearSecondsMax) return false;
  return (
    waitingMessages(watermarks) >
    (behindSeconds !== undefined && behindSeconds > behindSecondsMax ? 0n : backlogMessages)
  );
}

/** How long, ms, who takes over writes the trades that wait before anything else. */
export const takeOverMs = 3_000;

/**
 * Whether trades that have waited for new owners of their partitions go first, so that T moves on by them. `inherited`: the
 * watermarks at the beginning of the term, which say nothing of what came since. For a moment only: where trades come
 * without a pause some always wait.
 */
export function isTakingOver(
  watermarks: readonly Progress[],
  inherited: readonly Progress[],
  sinceMs: number,
): boolean {
  if (sinceMs > takeOverMs) return false;
  const isOld = watermarks.some((watermark, partition) => watermark === inherited[partition]);
  return isOld || waitingMessages(watermarks) > 0n;
}
