import { networkSettings } from '@jetton-analytics/feed';
import { listSettings } from '@jetton-analytics/list-engine';
import { ratesSettings } from '@jetton-analytics/rates';
import { readModelSettings } from '@jetton-analytics/read-model';
import { integerSetting, portSetting, serviceSettings } from '@jetton-analytics/service';
import { z } from 'zod';

export const Env = z.object({
  ...serviceSettings,
  PORT: portSetting(3002).describe('port of the HTTP interface, 0: any free one'),
  ...readModelSettings,
  ...networkSettings,
  ...listSettings,
  ...ratesSettings,
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be http(s)://host[:port][/path]' })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('http://127.0.0.1:3000')
    .describe('where clients reach the service: the start of links in answers'),
  HISTORY_TIMEOUT_MS: integerSetting(100, 60_000)
    .prefault('4000')
    .describe('deadline of one read of single transactions, last trades or a price chart, in milliseconds'),
  HISTORY_QUERIES_MAX: integerSetting(1, 1_000)
    .prefault('8')
    .describe('reads of single transactions, last trades and price charts at once; more are answered with 503'),
  HISTORY_CACHE_ENTRIES: integerSetting(1, 1_000_000)
    .prefault('2000')
    .describe('price charts, chart previews and pages of last trades kept in memory'),
});
export type Env = z.infer<typeof Env>;
