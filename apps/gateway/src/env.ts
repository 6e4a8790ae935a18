import { integerSetting, portSetting, serviceSettings } from '@jetton-analytics/service';
import { z } from 'zod';

const serviceUrl = z.url({ protocol: /^https?$/, error: 'must be http://host:port' });

export const Env = z.object({
  ...serviceSettings,
  PORT: portSetting(3000).describe('port of the HTTP interface, 0: any free one'),
  STATISTICS_URL: serviceUrl.default('http://127.0.0.1:3001').describe('address of the statistics app'),
  METRICS_URL: serviceUrl.default('http://127.0.0.1:3002').describe('address of the metrics app'),
  UPSTREAM_TIMEOUT_MS: integerSetting(10, 60_000)
    .prefault('5000')
    .describe('deadline of an answer of the apps behind, in milliseconds'),
  UPSTREAM_CONNECTIONS: integerSetting(1, 10_000).prefault('64').describe('connections at most to each app behind'),
});
export type Env = z.infer<typeof Env>;
