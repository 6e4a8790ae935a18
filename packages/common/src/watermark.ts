import { z } from 'zod';

/**
 * How far one partition of the trades topic has been consumed, written at least once a second by its owner to a
 * compacted topic whose records carry the broker's append time. Key: `<topic>|<partition>`.
 */
export const PartitionWatermark = z.object({
  topic: z.string(),
  partition: z.int().min(0),
  /** Broker instant up to which every record is consumed and its minute rollups are acknowledged; null: not known yet. */
  consumedUpToMs: z.int().nullable(),
  /** Next offset to consume; everything before it is durable. */
  position: z.string().regex(/^\d+$/),
  /** End offset seen last. */
  endOffset: z.string().regex(/^\d+$/),
  /** Greatest event_time of an accepted message of event_type trade, Unix seconds. */
  maxEventTime: z.int().nullable(),
  /** Trades per whole second of the feed's delay, per minute (Unix seconds, multiple of 60) of the record time; the last 10 minutes. */
  delays: z.array(z.object({ minute: z.int(), counts: z.record(z.string(), z.int().min(0)) })).max(11),
  /** Gaps met: offsets that were gone before they were read. */
  gaps: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .max(20)
    .default([]),
});
export type PartitionWatermark = z.infer<typeof PartitionWatermark>;
