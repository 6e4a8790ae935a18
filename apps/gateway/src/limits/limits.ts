import { type CheckResult, DomainError } from '@jetton-analytics/service';
import type { Client } from '../access/client.js';
import { type LimitState, retryAfterSecondsOf } from './limit-state.js';
import type { MemoryLimiter } from './memory-limiter.js';
import type { RedisLimiter } from './redis-limiter.js';

/** Counts requests: in Redis where there is one and it answers, in memory otherwise. Without Redis nothing waits. */
export class Limits {
  constructor(
    private readonly memory: MemoryLimiter,
    private readonly redis?: RedisLimiter,
  ) {}

  take(client: Client): LimitState | Promise<LimitState> {
    if (this.redis?.isReady !== true) return this.memory.take(client);
    return this.redis.take(client).catch(() => this.memory.take(client));
  }

  peek(client: Client): LimitState | Promise<LimitState> {
    if (this.redis?.isReady !== true) return this.memory.peek(client);
    return this.redis.peek(client).catch(() => this.memory.peek(client));
  }

  giveBack(client: Client): LimitState | Promise<LimitState> {
    if (this.redis?.isReady !== true) return this.memory.giveBack(client);
    return this.redis.giveBack(client).catch(() => this.memory.giveBack(client));
  }

  get readiness(): CheckResult {
    return this.redis?.readiness ?? { ok: true, detail: 'limits are held per gateway' };
  }

  close(): void {
    this.redis?.close();
  }
}

/** What a client is told that is over its limit. */
export function overLimit(state: LimitState): DomainError {
  const { policy } = state;
  const detail = `the limit of the plan ${policy.name} is reached: ${policy.header}`;
  return new DomainError('rateLimited', detail, { retryAfterSeconds: retryAfterSecondsOf(state) });
}
