import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Policy } from '../access/policy.js';
import { BoundedLimiterMemory } from './bounded-limiter-memory.js';
import type { SharedLimits } from './shared-limits.js';

/** What counts the requests of a plan's clients. */
export interface PlanLimiter {
  readonly rate: RateLimiterAbstract;
  readonly day: RateLimiterAbstract;
}

/** Clients of one plan whose counts are held in memory. */
const clientsMax = 100_000;

interface Window {
  readonly keyPrefix: string;
  readonly points: number;
  /** Whole seconds. */
  readonly duration: number;
}

/**
 * The limiters of each plan: in Redis where there is one, with one in memory for while it is away; in memory otherwise.
 * What is counted in memory begins anew where the numbers of a plan change.
 */
export class PlanLimiters {
  readonly #made = new Map<string, PlanLimiter & { header: string }>();

  constructor(
    private readonly shared: SharedLimits | undefined,
    private readonly keysMax: number = clientsMax,
  ) {}

  of({ name, header, perWindow, windowSeconds, perDay, daySeconds }: Policy): PlanLimiter {
    const known = this.#made.get(name);
    if (known?.header === header) return known;
    const made = {
      header,
      rate: this.#limiter({ keyPrefix: `ja:rate:${name}`, points: perWindow, duration: windowSeconds }),
      day: this.#limiter({ keyPrefix: `ja:day:${name}`, points: perDay, duration: daySeconds }),
    };
    this.#made.set(name, made);
    return made;
  }

  #limiter(window: Window): RateLimiterAbstract {
    const memory = new BoundedLimiterMemory(window, this.keysMax);
    if (this.shared === undefined) return memory;
    return new RateLimiterRedis({
      ...window,
      storeClient: this.shared.client,
      rejectIfRedisNotReady: true,
      insuranceLimiter: memory,
    });
  }
}
