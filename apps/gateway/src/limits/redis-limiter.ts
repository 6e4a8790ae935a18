import type { CheckResult, Logger } from '@jetton-analytics/service';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Client } from '../access/client.js';
import type { Policy } from '../access/policy.js';
import { bucketScript } from './bucket-script.js';
import type { LimitState } from './limit-state.js';

const commandTimeoutMs = 250;
const connectTimeoutMs = 1_000;
const reconnectMs = 1_000;

interface PolicyLimiters {
  readonly rate: RateLimiterRedis;
  readonly day: RateLimiterRedis;
}

/** Limits that all gateways with the same Redis or Valkey hold together. Rejects whenever that is away. */
export class RedisLimiter {
  // The library gives each connection one script under one name, so each kind of limit has a connection of its own.
  readonly #rate: Redis;
  readonly #day: Redis;
  readonly #limiters = new WeakMap<Policy, PolicyLimiters>();

  constructor(url: string, logger: Logger) {
    const connect = () =>
      new Redis(url, {
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        commandTimeout: commandTimeoutMs,
        connectTimeout: connectTimeoutMs,
        // Closes a connection whose server has stopped answering, so that the next request need not wait for it.
        socketTimeout: commandTimeoutMs,
        retryStrategy: () => reconnectMs,
      });
    this.#rate = connect();
    this.#day = connect();
    let away: boolean | undefined;
    const note = (nowAway: boolean, error?: Error) => {
      if (away === nowAway) return;
      away = nowAway;
      if (nowAway) logger.warn({ err: error }, 'Redis is away: limits are held per gateway');
      else logger.info('limits are held in Redis');
    };
    for (const redis of [this.#rate, this.#day]) {
      redis.on('ready', () => this.isReady && note(false));
      redis.on('error', (error: Error) => note(true, error));
      redis.on('close', () => note(true));
    }
  }

  get isReady(): boolean {
    return this.#rate.status === 'ready' && this.#day.status === 'ready';
  }

  get readiness(): CheckResult {
    return this.isReady
      ? { ok: true, detail: 'limits are shared' }
      : { ok: false, detail: 'limits are held per gateway' };
  }

  take(client: Client): Promise<LimitState> {
    return this.#state(client, 1);
  }

  peek(client: Client): Promise<LimitState> {
    return this.#state(client, 0);
  }

  async giveBack(client: Client): Promise<LimitState> {
    const { rate, day } = this.#limitersOf(client.policy);
    const [rateState, dayState] = await Promise.all([rate.reward(client.id, 1), day.reward(client.id, 1)]);
    return stateOf(client.policy, rateState, dayState, 0);
  }

  close(): void {
    this.#rate.disconnect();
    this.#day.disconnect();
  }

  async #state(client: Client, cost: 0 | 1): Promise<LimitState> {
    const { policy, id } = client;
    const { rate, day } = this.#limitersOf(policy);
    const rateState = await consume(rate, id, cost);
    const rateOver = rateState.consumedPoints > policy.burst;
    // Who is refused by the bucket does not pay with the day.
    const dayState = await consume(day, id, rateOver ? 0 : cost);
    const dayOver = dayState.consumedPoints > policy.perDay;
    const retryMs = rateOver ? rateState.msBeforeNext : dayOver ? dayState.msBeforeNext : 0;
    return stateOf(policy, rateState, dayState, retryMs);
  }

  #limitersOf(policy: Policy): PolicyLimiters {
    const known = this.#limiters.get(policy);
    if (known !== undefined) return known;
    const made = {
      rate: new RateLimiterRedis({
        storeClient: this.#rate,
        keyPrefix: `ja:rate:${policy.name}`,
        points: policy.burst,
        duration: policy.fillMs / 1_000,
        customIncrTtlLuaScript: bucketScript,
        rejectIfRedisNotReady: true,
      }),
      day: new RateLimiterRedis({
        storeClient: this.#day,
        keyPrefix: `ja:day:${policy.name}`,
        points: policy.perDay,
        duration: policy.dayMs / 1_000,
        rejectIfRedisNotReady: true,
      }),
    };
    this.#limiters.set(policy, made);
    return made;
  }
}

/** The library rejects with the state of whoever is over the limit. */
async function consume(limiter: RateLimiterRedis, id: string, cost: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(id, cost);
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes) return rejected;
    throw rejected;
  }
}

const stateOf = (policy: Policy, rate: RateLimiterRes, day: RateLimiterRes, retryMs: number): LimitState => ({
  policy,
  allowed: retryMs === 0,
  rateLeft: rate.remainingPoints,
  rateResetMs: Math.max(0, rate.msBeforeNext),
  dayLeft: day.remainingPoints,
  dayResetMs: Math.max(0, day.msBeforeNext),
  retryMs,
});
