import { z } from 'zod';

/** Settings of the apps that serve lists; an app spreads them into its own schema. */
export const listSettings = {
  CURSOR_SECRET: z
    .string()
    .min(32)
    .describe('signs the cursors of lists; at least 32 characters, the same for all replicas of all query apps'),
  LIST_REUSE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(5_000)
    .describe(
      'how long a pinned order begins further walks with the same filters and order whatever has changed, in milliseconds',
    ),
  LIST_PINS_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(1_048_576)
    .default(67_108_864)
    .describe('bytes of pinned orders held in memory'),
};
