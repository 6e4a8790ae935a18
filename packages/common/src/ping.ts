import { z } from 'zod';
import { Timestamp } from './amounts.js';

/** `GET /v1/system/ping`. */
export const Ping = z
  .object({
    message: z.string().meta({ description: 'Always `pong`.' }),
    time: Timestamp.meta({ description: 'The service’s clock.' }),
  })
  .meta({ id: 'Ping', description: 'Sign of life.', examples: [{ message: 'pong', time: '2026-11-21T12:00:00Z' }] });
export type Ping = z.infer<typeof Ping>;
