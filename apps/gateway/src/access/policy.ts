import type { PlanLimits } from '@jetton-analytics/postgres';

const dayMs = 86_400_000;

/**
 * A plan, with what of it is needed for every request. Two limits: a bucket of `burst` requests that fills at
 * `requestsPerSecond`, and `requestsPerDay` in 24 hours from the first.
 */
export class Policy {
  readonly name: string;
  readonly paid: boolean;
  readonly burst: number;
  /** In which the bucket regains one request. */
  readonly intervalMs: number;
  /** In which an empty bucket fills. */
  readonly fillMs: number;
  readonly perDay: number;
  readonly dayMs = dayMs;
  /** Value of RateLimit-Policy. Source: draft-ietf-httpapi-ratelimit-headers-10, section 3. */
  readonly header: string;

  constructor({ name, paid, requestsPerSecond, burst, requestsPerDay }: PlanLimits) {
    this.name = name;
    this.paid = paid;
    this.burst = burst;
    this.intervalMs = 1_000 / requestsPerSecond;
    this.fillMs = this.intervalMs * burst;
    this.perDay = requestsPerDay;
    const windowSeconds = Math.ceil(burst / requestsPerSecond);
    this.header = `"rate";q=${burst};w=${windowSeconds}, "day";q=${requestsPerDay};w=${dayMs / 1_000}`;
  }
}
