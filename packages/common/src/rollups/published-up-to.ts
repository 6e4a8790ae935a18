import { z } from 'zod';

/**
 * How far the hours and days of a trades topic are published, written by the leader after each round. Key: the topic's
 * name. An older record than the truth makes the next leader publish some of them again, which changes nothing.
 */
export const PublishedUpTo = z.object({
  tradesTopic: z.string(),
  /** Per partition of the trades topic: of the batches before this offset every hour and day is published. */
  positions: z.record(z.string().regex(/^\d+$/), z.string().regex(/^\d+$/)),
  /** Hours and days that ended until then (Unix seconds) are published as final. */
  closedUpTo: z.int(),
});
export type PublishedUpTo = z.infer<typeof PublishedUpTo>;
