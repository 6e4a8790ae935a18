import { defineInsert } from '@jetton-analytics/clickhouse';
import type { InputState, InputStatus, PartitionWatermark } from '@jetton-analytics/common';
import { formatInstant } from '@jetton-analytics/figures';

export const insertInputStatus = defineInsert<readonly [topic: string, status: string, asOf: number, version: string]>({
  name: 'insertInputStatus',
  table: 'input_status_v2',
  columns: ['topic', 'status', 'as_of', 'version'],
});

const liveSeconds = 60;
const stalledMs = 30_000;

export interface InputFacts {
  readonly topic: string;
  /** One entry per partition; undefined: no watermark yet. */
  readonly partitions: readonly (PartitionWatermark | undefined)[];
  /** Instant of the newest watermark, ms. */
  readonly newestWatermarkMs: number;
  readonly nowMs: number;
}

/** What /v1/status says of the trades topic. */
export function inputStatusOf({ topic, partitions, newestWatermarkMs, nowMs }: InputFacts): InputStatus {
  const known = partitions.filter((partition) => partition !== undefined);
  const lag = known.reduce((sum, one) => sum + BigInt(one.endOffset) - BigInt(one.position), 0n);
  const eventTimes = known.flatMap((one) => (one.maxEventTime === null ? [] : [one.maxEventTime]));
  const consumedUpToMs = known.reduce((least, one) => Math.min(least, one.consumedUpToMs ?? nowMs), nowMs);
  const lagSeconds = Math.max(0, Math.floor((nowMs - consumedUpToMs) / 1_000));
  const isKnown = known.length === partitions.length && known.every((one) => one.consumedUpToMs !== null);
  const state: InputState = !isKnown
    ? 'starting'
    : nowMs - newestWatermarkMs > stalledMs
      ? 'stalled'
      : lag > 0n && lagSeconds > liveSeconds
        ? 'catchingUp'
        : 'live';
  return {
    topic,
    ...(eventTimes.length > 0 && { newestEventTime: formatInstant(Math.max(...eventTimes)) }),
    lagMessages: lag.toString(),
    lagSeconds,
    state,
    partitions: known.map((one) => ({
      partition: one.partition,
      position: one.position,
      endOffset: one.endOffset,
      lagMessages: (BigInt(one.endOffset) - BigInt(one.position)).toString(),
    })),
    gaps: known.flatMap((one) => one.gaps.map((gap) => ({ partition: one.partition, ...gap }))),
  };
}
