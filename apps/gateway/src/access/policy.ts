import type { PlanLimits } from '@jetton-analytics/postgres';

const daySeconds = 86_400;

/**
 * A plan, with what of it is needed for every request. Two limits, each a window that begins with the first request in it:
 * `perWindow` requests in `windowSeconds`, and `perDay` in 24 hours. The window is as long as the plan's rate takes for
 * its burst, in whole seconds as Redis counts them; so the rate holds exactly, and a burst that is no multiple of the
 * rate is rounded up to one.
 */
export class Policy {
  readonly name: string;
  readonly paid: boolean;
  readonly perWindow: number;
  readonly windowSeconds: number;
  readonly perDay: number;
  readonly daySeconds = daySeconds;
  /** Value of RateLimit-Policy. Source: draft-ietf-httpapi-ratelimit-headers-10, section 3. */
  readonly header: string;

  constructor({ name, paid, requestsPerSecond, burst, requestsPerDay }: PlanLimits) {
    this.name = name;
    this.paid = paid;
    this.windowSeconds = Math.ceil(burst / requestsPerSecond);
    this.perWindow = this.windowSeconds * requestsPerSecond;
    this.perDay = requestsPerDay;
    this.header = `"rate";q=${this.perWindow};w=${this.windowSeconds}, "day";q=${requestsPerDay};w=${daySeconds}`;
  }
}
