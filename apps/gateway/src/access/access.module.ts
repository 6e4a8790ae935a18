import { Clock, Health, type Logger, LOGGER, SETTINGS } from '@jetton-analytics/service';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Env } from '../env.js';
import { AccessFollower } from './access-follower.js';
import { Access } from './access.js';
import { KeyCache } from './key-cache.js';
import { KeyUses } from './key-uses.js';

const sweepEveryMs = 60_000;

@Module({
  providers: [
    { provide: KeyCache, inject: [Clock], useFactory: (clock: Clock) => new KeyCache(clock) },
    {
      provide: AccessFollower,
      inject: [SETTINGS, LOGGER, KeyCache],
      useFactory: (settings: Env, logger: Logger, cache: KeyCache) =>
        new AccessFollower({
          databaseUrl: settings.DATABASE_URL,
          intervalMs: settings.ACCESS_FOLLOW_INTERVAL_MS,
          cache,
          logger,
        }),
    },
    {
      provide: KeyUses,
      inject: [Clock, LOGGER, AccessFollower],
      useFactory: (clock: Clock, logger: Logger, follower: AccessFollower) =>
        new KeyUses(clock, logger, (uses) => follower.noteUses(uses)),
    },
    {
      provide: Access,
      inject: [Clock, KeyCache, AccessFollower, KeyUses],
      useFactory: (clock: Clock, cache: KeyCache, follower: AccessFollower, uses: KeyUses) =>
        new Access({ clock, cache, follower, uses }),
    },
  ],
  exports: [Access],
})
export class AccessModule implements OnModuleInit, OnApplicationShutdown {
  readonly #sweep: NodeJS.Timeout;

  constructor(
    @Inject(AccessFollower) private readonly follower: AccessFollower,
    @Inject(KeyUses) private readonly uses: KeyUses,
    cache: KeyCache,
    health: Health,
  ) {
    // Shown only: free operations and known keys go on without it.
    health.addReadiness('postgres', () => follower.readiness, { decides: false });
    this.#sweep = setInterval(() => cache.sweep(), sweepEveryMs);
    this.#sweep.unref();
  }

  onModuleInit(): Promise<void> {
    return this.follower.start();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#sweep);
    await this.uses.close();
    await this.follower.close();
  }
}
