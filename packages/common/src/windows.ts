import { z } from 'zod';

/** Windows of prices: 15 minutes to 30 days. */
export const WindowsA = z.enum(['min15', 'hour', 'hour6', 'hour12', 'day', 'week', 'month']);
export type WindowsA = z.infer<typeof WindowsA>;

/** Windows of counts and volumes of a jetton. */
export const WindowsB = z.enum(['hour', 'hour6', 'day', 'week', 'month']);
export type WindowsB = z.infer<typeof WindowsB>;

/** Windows of counts of one market. */
export const WindowsC = z.enum(['day', 'week', 'month']);
export type WindowsC = z.infer<typeof WindowsC>;

/**
 * Windows are calculated in three groups, each at its own cadence: `short` is min15 and hour, `mid` is hour6, hour12
 * and day, `long` is week and month.
 */
export const Step = z.enum(['short', 'mid', 'long']);
export type Step = z.infer<typeof Step>;
