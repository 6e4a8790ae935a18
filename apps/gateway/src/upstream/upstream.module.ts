import { Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../env.js';
import { Upstream } from './upstream.js';
import { type QueryApp, Upstreams } from './upstreams.js';

@Module({
  providers: [
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
  exports: [Upstreams],
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
