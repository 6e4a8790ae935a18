import { createHttpApp, type HttpApp, type Logger } from '@jetton-analytics/service';
import { AppModule } from './app.module.js';
import type { Env } from './env.js';

/** The gateway with these settings; it does not listen yet. */
export function createGateway(settings: Readonly<Env>, logger?: Logger): Promise<HttpApp> {
  return createHttpApp(AppModule, {
    name: 'gateway',
    settings,
    accessLogLevel: 'info',
    callerSpan: 'link',
    trustProxy: settings.TRUST_PROXY,
    // Never the key, its hash or the address.
    accessFields: ({ admitted }) => ({ plan: admitted?.client.policy.name, keyId: admitted?.client.keyId }),
    ...(logger !== undefined && { logger }),
  });
}
