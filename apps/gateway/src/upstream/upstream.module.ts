import { Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../env.js';
import { AnswerCache } from './answer-cache.js';
import { Upstream } from './upstream.js';
import { type QueryApp, Upstreams } from './upstreams.js';

/** Token of the AnswerCache; undefined where no answer is kept. */
export const ANSWER_CACHE = Symbol('answer cache');

const mib = 1024 * 1024;

@Module({
  providers: [
    {
      provide: ANSWER_CACHE,
      inject: [SETTINGS],
      useFactory: ({ ANSWER_CACHE_MIB }: Env) =>
        ANSWER_CACHE_MIB === 0 ? undefined : new AnswerCache(ANSWER_CACHE_MIB * mib),
    },
    {
      provide: Upstreams,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: Env, logger: Logger) => {
        const upstream = (name: QueryApp, url: string) =>
          new Upstream({
            name,
            url,
            timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
            connectionsMax: settings.UPSTREAM_CONNECTIONS,
            logger,
          });
        return new Upstreams({
          statistics: upstream('statistics', settings.STATISTICS_URL),
          metrics: upstream('metrics', settings.METRICS_URL),
        });
      },
    },
  ],
  exports: [Upstreams, ANSWER_CACHE],
})
export class UpstreamModule implements OnApplicationShutdown {
  constructor(
    @Inject(Upstreams) private readonly upstreams: Upstreams,
    health: Health,
  ) {
    health.addReadiness('statistics', () => upstreams.get('statistics').readiness());
    // Shown only: without it its own operations answer 503, and all others go on.
    health.addReadiness('metrics', () => upstreams.get('metrics').readiness(), { decides: false });
  }

  onApplicationShutdown(): Promise<void> {
    return this.upstreams.close();
  }
}
