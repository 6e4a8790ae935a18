import { createHttpApp, type HttpApp, loadSettings } from '@jetton-analytics/service';
import { AppModule } from '../src/app.module.js';
import { Env } from '../src/env.js';

/** A gateway on any free port; it does not listen yet. */
export function startGateway(env: Record<string, string>): Promise<HttpApp> {
  const settings = loadSettings(Env, { PORT: '0', LOG_LEVEL: 'silent', METRICS_URL: 'http://127.0.0.1:1', ...env });
  return createHttpApp(AppModule, { name: 'gateway', settings });
}
