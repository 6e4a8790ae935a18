import type { Plan } from './plan.entity.js';

/** What of a plan decides over a request. */
export type PlanLimits = Pick<Plan, 'name' | 'paid' | 'requestsPerSecond' | 'burst' | 'requestsPerDay'>;

/**
 * The plan of whoever shows no key, as the migration writes it: for as long as the database cannot be asked. Source of
 * the rate: docs/http-api.md, "Credentials and plans".
 */
export const publicPlan: PlanLimits = {
  name: 'public',
  paid: false,
  requestsPerSecond: 1,
  burst: 10,
  requestsPerDay: 20_000,
};
