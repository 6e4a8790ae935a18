import { DomainError } from '@jetton-analytics/service';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Client } from '../access/client.js';
import type { Policy } from '../access/policy.js';
import { type LimitState, retryAfterSecondsOf } from './limit-state.js';
import type { PlanLimiters } from './plan-limiters.js';

/** Counts requests against both limits of a plan. */
export class Limits {
  constructor(private readonly limiters: PlanLimiters) {}

  /** Counts a request of the client. Whoever is refused by the rate does not pay with the day. */
  async take({ policy, id }: Client): Promise<LimitState> {
    const { rate, day } = this.limiters.of(policy);
    const rateState = await consume(rate, id);
    const rateOver = rateState.consumedPoints > policy.perWindow;
    const dayState = await (rateOver ? standing(day, id) : consume(day, id));
    const dayOver = dayState.consumedPoints > policy.perDay;
    return stateOf(policy, rateState, dayState, rateOver ? rateState : dayOver ? dayState : undefined);
  }

  /** Where the client stands; nothing is counted. */
  async peek({ policy, id }: Client): Promise<LimitState> {
    const { rate, day } = this.limiters.of(policy);
    return stateOf(policy, ...(await Promise.all([standing(rate, id), standing(day, id)])));
  }

  /** Takes back the count of a request that was allowed. Where the client stands then. */
  async giveBack({ policy, id }: Client): Promise<LimitState> {
    const { rate, day } = this.limiters.of(policy);
    return stateOf(policy, ...(await Promise.all([reward(rate, id), reward(day, id)])));
  }
}

/** What a client is told that is over its limit. */
export function overLimit(state: LimitState): DomainError {
  const { policy } = state;
  const detail = `the limit of the plan ${policy.name} is reached: ${policy.header}`;
  return new DomainError('rateLimited', detail, { retryAfterSeconds: retryAfterSecondsOf(state) });
}

/** The library rejects with the state of whoever is over the limit. */
async function consume(limiter: RateLimiterAbstract, id: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(id);
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes) return rejected;
    throw rejected;
  }
}

const standing = async (limiter: RateLimiterAbstract, id: string): Promise<RateLimiterRes> =>
  (await limiter.get(id)) ?? new RateLimiterRes(limiter.points);

async function reward(limiter: RateLimiterAbstract, id: string): Promise<RateLimiterRes> {
  const state = await standing(limiter, id);
  // The window in which the request was counted may have ended: nothing of the next one is given back.
  return state.consumedPoints > 0 ? limiter.reward(id) : state;
}

const stateOf = (policy: Policy, rate: RateLimiterRes, day: RateLimiterRes, over?: RateLimiterRes): LimitState => ({
  policy,
  allowed: over === undefined,
  rateLeft: rate.remainingPoints,
  rateResetMs: Math.max(0, rate.msBeforeNext),
  dayLeft: day.remainingPoints,
  dayResetMs: Math.max(0, day.msBeforeNext),
  retryMs: over === undefined ? 0 : Math.max(0, over.msBeforeNext),
});
