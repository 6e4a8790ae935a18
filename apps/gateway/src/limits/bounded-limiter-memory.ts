import { type IRateLimiterOptions, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { RecentKeys } from './recent-keys.js';

/**
 * The library's limiter in memory, which drops the count of a key by a timer when its window ends, with a bound on the
 * keys it holds until then: beyond it those go that have not asked for longest, and begin anew. Without it a flood of
 * addresses would be held for a day. It tells time by the machine's clock.
 */
export class BoundedLimiterMemory extends RateLimiterMemory {
  readonly #keys: RecentKeys;

  constructor(options: IRateLimiterOptions, keysMax: number) {
    super(options);
    this.#keys = new RecentKeys(keysMax, (key) => void this.delete(key));
  }

  /** Of what is called here, the only way in which a key comes to be held. */
  override consume(...asked: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.#keys.touch(String(asked[0]));
    return super.consume(...asked);
  }
}
