import type { Policy } from '../access/policy.js';

/** Where a client stands after a request, or would stand. Times in milliseconds. */
export interface LimitState {
  readonly policy: Policy;
  readonly allowed: boolean;
  /** Requests left of the plan's window, and until it ends. */
  readonly rateLeft: number;
  readonly rateResetMs: number;
  /** Requests left of the day, and until it ends. */
  readonly dayLeft: number;
  readonly dayResetMs: number;
  /** Until the next request is allowed; 0 where this one was. */
  readonly retryMs: number;
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Seconds of Retry-After: at least one. */
export const retryAfterSecondsOf = ({ retryMs }: LimitState): number => Math.max(1, seconds(retryMs));

/**
 * Names and values of the limit headers, flat. RateLimit tells both limits, the older X-RateLimit headers the one that is
 * nearer, with the reset in seconds from now. Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4;
 * docs/http-api.md, "Rate limits".
 */
export function limitHeaders(state: LimitState): string[] {
  const { policy, rateLeft, dayLeft } = state;
  const rateReset = seconds(state.rateResetMs);
  const dayReset = seconds(state.dayResetMs);
  const byDay = dayLeft < rateLeft || dayLeft === 0;
  return [
    'ratelimit-policy',
    policy.header,
    'ratelimit',
    `"rate";r=${rateLeft};t=${rateReset}, "day";r=${dayLeft};t=${dayReset}`,
    'x-ratelimit-limit',
    String(byDay ? policy.perDay : policy.perWindow),
    'x-ratelimit-remaining',
    String(byDay ? dayLeft : rateLeft),
    'x-ratelimit-reset',
    String(byDay ? dayReset : rateReset),
  ];
}
