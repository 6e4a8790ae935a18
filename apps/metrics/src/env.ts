import { postgresSettings } from '@jetton-analytics/postgres';
import { portSetting, serviceSettings } from '@jetton-analytics/service';
import { z } from 'zod';

export const Env = z.object({
  ...serviceSettings,
  PORT: portSetting(3002).describe('port of the HTTP interface, 0: any free one'),
  ...postgresSettings,
});
export type Env = z.infer<typeof Env>;
