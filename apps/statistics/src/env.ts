import { networkSettings } from '@jetton-analytics/feed';
import { listSettings } from '@jetton-analytics/list-engine';
import { readModelSettings } from '@jetton-analytics/read-model';
import { portSetting, serviceSettings } from '@jetton-analytics/service';
import { z } from 'zod';

export const Env = z.object({
  ...serviceSettings,
  PORT: portSetting(3001).describe('port of the HTTP interface, 0: any free one'),
  ...readModelSettings,
  ...networkSettings,
  ...listSettings,
});
export type Env = z.infer<typeof Env>;
