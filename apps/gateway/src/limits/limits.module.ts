import { type CheckResult, Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../env.js';
import { Limits } from './limits.js';
import { PlanLimiters } from './plan-limiters.js';
import { SharedLimits } from './shared-limits.js';

const perGateway: CheckResult = { ok: true, detail: 'limits are held per gateway' };
/** Token of the SharedLimits; undefined without REDIS_URL. */
const SHARED_LIMITS = Symbol('shared limits');

@Module({
  providers: [
    {
      provide: SHARED_LIMITS,
      inject: [SETTINGS, LOGGER],
      useFactory: ({ REDIS_URL }: Env, logger: Logger) =>
        REDIS_URL === undefined ? undefined : new SharedLimits(REDIS_URL, logger),
    },
    {
      provide: Limits,
      inject: [{ token: SHARED_LIMITS, optional: true }],
      useFactory: (shared?: SharedLimits) => new Limits(new PlanLimiters(shared)),
    },
  ],
  exports: [Limits],
})
export class LimitsModule implements OnApplicationShutdown {
  constructor(
    @Inject(SHARED_LIMITS) private readonly shared: SharedLimits | undefined,
    health: Health,
  ) {
    health.addReadiness('limits', () => shared?.readiness ?? perGateway, { decides: false });
  }

  onApplicationShutdown(): void {
    this.shared?.close();
  }
}
