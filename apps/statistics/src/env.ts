import { clickhouseSettings } from '@jetton-analytics/clickhouse';
import { networkSettings } from '@jetton-analytics/feed';
import { integerSetting, portSetting, serviceSettings } from '@jetton-analytics/service';
import { z } from 'zod';

export const Env = z.object({
  ...serviceSettings,
  PORT: portSetting(3001).describe('port of the HTTP interface, 0: any free one'),
  ...clickhouseSettings,
  ...networkSettings,
  FOLLOW_INTERVAL_MS: integerSetting(10, 60_000)
    .prefault('200')
    .describe('milliseconds between two looks for a newer snapshot'),
  ITEM_CACHE_MIB: integerSetting(1, 65_536)
    .prefault('256')
    .describe('memory for the bytes of items served lately, in MiB'),
});
export type Env = z.infer<typeof Env>;
