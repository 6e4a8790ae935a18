import { Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../env.js';
import { Upstream } from './upstream.js';

/** Tokens of the apps behind; only the one with routes leaves the module. */
export const STATISTICS = Symbol('statistics');
const METRICS = Symbol('metrics');

const upstream = (name: string, settings: Env, url: string, logger: Logger) =>
  new Upstream({
    name,
    url,
    timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    connectionsMax: settings.UPSTREAM_CONNECTIONS,
    logger,
  });

@Module({
  providers: [
    {
      provide: STATISTICS,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: Env, logger: Logger) => upstream('statistics', settings, settings.STATISTICS_URL, logger),
    },
    {
      provide: METRICS,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: Env, logger: Logger) => upstream('metrics', settings, settings.METRICS_URL, logger),
    },
  ],
  exports: [STATISTICS],
})
export class UpstreamModule implements OnApplicationShutdown {
  constructor(
    @Inject(STATISTICS) private readonly statistics: Upstream,
    @Inject(METRICS) private readonly metrics: Upstream,
    health: Health,
  ) {
    health.addReadiness('statistics', () => statistics.readiness());
    // Shown only: without it its own operations answer 503, and all others go on.
    health.addReadiness('metrics', () => metrics.readiness(), { decides: false });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.statistics.close(), this.metrics.close()]);
  }
}
