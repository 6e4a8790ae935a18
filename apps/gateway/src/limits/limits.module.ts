import { Clock, Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../env.js';
import { Limits } from './limits.js';
import { MemoryLimiter } from './memory-limiter.js';
import { RedisLimiter } from './redis-limiter.js';

@Module({
  providers: [
    {
      provide: Limits,
      inject: [SETTINGS, Clock, LOGGER],
      useFactory: ({ REDIS_URL }: Env, clock: Clock, logger: Logger) =>
        new Limits(new MemoryLimiter(clock), REDIS_URL === undefined ? undefined : new RedisLimiter(REDIS_URL, logger)),
    },
  ],
  exports: [Limits],
})
export class LimitsModule implements OnApplicationShutdown {
  constructor(
    @Inject(Limits) private readonly limits: Limits,
    health: Health,
  ) {
    health.addReadiness('limits', () => limits.readiness, { decides: false });
  }

  onApplicationShutdown(): void {
    this.limits.close();
  }
}
