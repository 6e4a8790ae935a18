import type { EntityManager } from 'typeorm';
import { AccessError } from './access-error.js';
import { Plan } from './plan.entity.js';

export interface PlanSetting {
  readonly name: string;
  readonly paid?: boolean;
  readonly requestsPerSecond?: number;
  readonly burst?: number;
  readonly requestsPerDay?: number;
  /** Who sets it, and when. */
  readonly by: string;
  readonly at: Date;
}

/** All plans by name. */
export const listPlans = (manager: EntityManager): Promise<Plan[]> => manager.find(Plan, { order: { name: 'ASC' } });

/**
 * Changes a plan, or makes it; what is not given stays as it is. A new plan needs every number. Rejects with AccessError
 * `invalid` where numbers are missing or out of bounds (burst less than requests per second, for instance).
 */
export function setPlan(manager: EntityManager, setting: PlanSetting): Promise<Plan> {
  return manager.transaction(async (transaction) => {
    const { name, by, at, ...given } = setting;
    // Not the stronger lock: a key that names the plan would wait for it while it holds the lock of the change numbers.
    const known = await transaction.findOne(Plan, { where: { name }, lock: { mode: 'for_no_key_update' } });
    const requestsPerSecond = given.requestsPerSecond ?? known?.requestsPerSecond;
    const burst = given.burst ?? known?.burst;
    const requestsPerDay = given.requestsPerDay ?? known?.requestsPerDay;
    const paid = given.paid ?? known?.paid ?? false;
    if (requestsPerSecond === undefined || burst === undefined || requestsPerDay === undefined) {
      throw new AccessError('invalid', `a new plan needs requests per second, burst and requests per day`);
    }
    const row = { name, paid, requestsPerSecond, burst, requestsPerDay, setBy: by, setAt: at };
    try {
      await transaction.upsert(Plan, row, ['name']);
    } catch (cause) {
      throw checkViolation(cause)
        ? new AccessError('invalid', 'a number of the plan is out of bounds', { cause })
        : cause;
    }
    return transaction.findOneByOrFail(Plan, { name });
  });
}

/** Whether the database refused a row by a CHECK of its table, or a number that does not fit its column. */
export function checkViolation(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '23514' || code === '22003' || code === '22P02';
}
