import { z } from 'zod';

/** What is published for internal subscribers, each in a topic of its own. */
export const RollupDataset = z.enum(['jettonMinute', 'jettonHour', 'jettonDay', 'poolMinute', 'statistics']);
export type RollupDataset = z.infer<typeof RollupDataset>;

/** Topic of each dataset; a deployment may put a prefix in front of all. */
export const rollupTopicNames = {
  jettonMinute: 'jettons.rollup.minute.v1',
  jettonHour: 'jettons.rollup.hour.v1',
  jettonDay: 'jettons.rollup.day.v1',
  poolMinute: 'pools.rollup.minute.v1',
  statistics: 'jettons.statistics.v1',
} as const satisfies Record<RollupDataset, string>;

export const rollupTopicOf = (dataset: RollupDataset, prefix = ''): string => `${prefix}${rollupTopicNames[dataset]}`;

/** Length of a bucket in seconds. */
export const rollupGrainSeconds = { minute: 60, hour: 3_600, day: 86_400 } as const;
export type RollupGrain = keyof typeof rollupGrainSeconds;

/** Key of a jetton's bucket; the bucket begins at `startSeconds`, Unix seconds. */
export const jettonRollupKey = (jetton: string, grain: RollupGrain, startSeconds: number): string =>
  `${jetton}|${grain}|${startSeconds}`;

/** Key of a pool's bucket; the pool is '' for trades that name none. */
export const poolRollupKey = (jetton: string, pool: string, grain: 'minute', startSeconds: number): string =>
  `${jetton}|${pool}|${grain}|${startSeconds}`;

/** Key of a jetton's statistics over the windows of one step. */
export const statisticsKey = (jetton: string, step: string): string => `${jetton}|${step}`;

const hashDigits = 8;

/**
 * The partition of everything published about a jetton: the first 32 bits of its account id, which is a hash, modulo the
 * number of partitions. Readers of one jetton need one partition of each topic.
 * @throws RangeError for what is no raw address.
 */
export function rollupPartitionOf(jetton: string, partitions: number): number {
  const start = jetton.indexOf(':') + 1;
  const bits = Number.parseInt(jetton.slice(start, start + hashDigits), 16);
  if (start === 0 || Number.isNaN(bits)) throw new RangeError(`not a raw address: ${jetton}`);
  return bits % partitions;
}
