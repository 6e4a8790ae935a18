import { isIP } from 'node:net';
import { postgresSettings } from '@jetton-analytics/postgres';
import { integerSetting, portSetting, serviceSettings, type TrustProxy } from '@jetton-analytics/service';
import { z } from 'zod';

const serviceUrl = z.url({ protocol: /^https?$/, error: 'must be http://host:port' });
const proxyNames = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(text: string): boolean {
  if (proxyNames.has(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const bitsMax = version === 4 ? 32 : 128;
  return version !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= bitsMax));
}

/** What Fastify takes: nothing, addresses, or who is within so many hops. */
const trustProxy = z
  .string()
  .refine((text) => /^\d{0,2}$/.test(text) || text.split(',').every((part) => isProxy(part.trim())), {
    error: 'must be a number of proxies, or addresses, ranges, loopback, linklocal, uniquelocal with commas',
  })
  .transform((text): TrustProxy => {
    if (!/^\d*$/.test(text)) return text;
    const hops = Number(text);
    return hops === 0 ? false : (_address, hop) => hop < hops;
  });

export const Env = z.object({
  ...serviceSettings,
  PORT: portSetting(3000).describe('port of the HTTP interface, 0: any free one'),
  STATISTICS_URL: serviceUrl.default('http://127.0.0.1:3001').describe('address of the statistics app'),
  METRICS_URL: serviceUrl.default('http://127.0.0.1:3002').describe('address of the metrics app'),
  UPSTREAM_TIMEOUT_MS: integerSetting(10, 60_000)
    .prefault('5000')
    .describe('deadline of an answer of the apps behind, in milliseconds'),
  UPSTREAM_CONNECTIONS: integerSetting(1, 10_000).prefault('64').describe('connections at most to each app behind'),
  ...postgresSettings,
  ACCESS_FOLLOW_INTERVAL_MS: integerSetting(100, 5_000)
    .prefault('1000')
    .describe('milliseconds between two looks for changed keys and plans'),
  TRUST_PROXY: trustProxy
    .prefault('')
    .describe(
      'proxies whose X-Forwarded-For is believed: addresses and ranges with commas, or their number where nobody reaches the gateway but through them; empty: none',
    ),
  RATE_LIMITS: z.enum(['on', 'off']).default('on').describe('off: whoever stands before the gateway limits requests'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be redis://host:port' })
    .optional()
    .describe('Redis or Valkey that holds the limits of all gateways together; without it each gateway has its own'),
  ANSWER_CACHE_MIB: integerSetting(0, 65_536)
    .prefault('32')
    .describe('memory for public answers, kept for the second that everybody may keep them, in MiB; 0: none is kept'),
  COMPRESSED_CACHE_MIB: integerSetting(1, 65_536)
    .prefault('64')
    .describe('memory for compressed bodies sent lately, in MiB'),
});
export type Env = z.infer<typeof Env>;
