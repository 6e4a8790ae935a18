import { z } from 'zod';
import { Timestamp } from './amounts.js';
import { WindowsA } from './windows.js';

/** State of one partition of an input topic. */
export const PartitionStatus = z.object({
  partition: z.int(),
  position: z.string(),
  endOffset: z.string(),
  lagMessages: z.string(),
});

/** `starting`: no watermark yet; `catchingUp`: more than a minute behind; `live`; `stalled`: no news from its reader. */
export const InputState = z.enum(['starting', 'catchingUp', 'live', 'stalled']);
export type InputState = z.infer<typeof InputState>;

export const InputStatus = z.object({
  topic: z.string(),
  newestEventTime: Timestamp.optional(),
  lagMessages: z.string(),
  lagSeconds: z.int(),
  state: InputState,
  partitions: z.array(PartitionStatus),
  gaps: z.array(z.object({ partition: z.int(), from: z.string(), to: z.string() })),
});
export type InputStatus = z.infer<typeof InputStatus>;

/** `GET /v1/status`. */
export const ServiceStatus = z
  .object({
    clock: z.string(),
    asOf: Timestamp.optional(),
    inputs: z.array(InputStatus),
    windows: z.partialRecord(
      WindowsA,
      z.object({ calculatedAt: Timestamp, snapshot: z.string(), inputPosition: z.string() }),
    ),
    jettons: z.int(),
    markets: z.int(),
  })
  .meta({ id: 'ServiceStatus' });
export type ServiceStatus = z.infer<typeof ServiceStatus>;
