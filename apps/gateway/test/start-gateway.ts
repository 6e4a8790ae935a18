import { type HttpApp, loadSettings, type Logger } from '@jetton-analytics/service';
import { createGateway } from '../src/create-gateway.js';
import { Env } from '../src/env.js';

const nowhere = 'http://127.0.0.1:1';

/** A gateway on any free port, without stores or limits unless `env` says otherwise; it does not listen yet. */
export function startGateway(env: Record<string, string>, logger?: Logger): Promise<HttpApp> {
  const settings = loadSettings(Env, {
    PORT: '0',
    LOG_LEVEL: 'silent',
    STATISTICS_URL: nowhere,
    METRICS_URL: nowhere,
    DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
    RATE_LIMITS: 'off',
    ...env,
  });
  return createGateway(settings, logger);
}
