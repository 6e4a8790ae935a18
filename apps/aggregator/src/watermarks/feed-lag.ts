import { Gauge, type Registry } from 'prom-client';
import type { PublishWatermarks } from './publish-watermarks.js';

/**
 * Registers `feed_lag_records{topic}`: the records of this instance's partitions that are not durable yet. Each partition
 * is told of by its owner alone, so the sum over the instances is the group's lag.
 */
export function registerFeedLag(
  registry: Registry,
  byTopic: Readonly<Record<string, Pick<PublishWatermarks, 'lag'>>>,
): void {
  const gauge: Gauge<'topic'> = new Gauge({
    name: 'feed_lag_records',
    help: 'Records of the partitions of this instance that are not consumed yet',
    labelNames: ['topic'],
    registers: [registry],
    collect() {
      // A gauge is a double: beyond 2^53 records the last digits do not matter.
      for (const [topic, { lag }] of Object.entries(byTopic)) gauge.set({ topic }, Number(lag));
    },
  });
}
