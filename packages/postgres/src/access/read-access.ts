import { type EntityManager, MoreThan } from 'typeorm';
import { ApiKey } from './api-key.entity.js';
import { Plan } from './plan.entity.js';

/** A key as whoever checks it needs it. */
export type KeyAccess = Pick<ApiKey, 'id' | 'plan' | 'expiresAt' | 'revokedAt' | 'changeNumber' | 'keyHash'>;

const keyFields = {
  id: true,
  plan: true,
  expiresAt: true,
  revokedAt: true,
  changeNumber: true,
  keyHash: true,
} as const;

/** The key with this hash, or null. */
export const findKey = (manager: EntityManager, keyHash: Buffer): Promise<KeyAccess | null> =>
  manager.findOne(ApiKey, { select: keyFields, where: { keyHash } });

/** Keys changed after `changeNumber`, in order, `limit` at most. */
export const keysChangedAfter = (manager: EntityManager, changeNumber: string, limit: number): Promise<KeyAccess[]> =>
  manager.find(ApiKey, {
    select: keyFields,
    where: { changeNumber: MoreThan(changeNumber) },
    order: { changeNumber: 'ASC' },
    take: limit,
  });

/** Plans changed after `changeNumber`, in order. */
export const plansChangedAfter = (manager: EntityManager, changeNumber: string): Promise<Plan[]> =>
  manager.find(Plan, { where: { changeNumber: MoreThan(changeNumber) }, order: { changeNumber: 'ASC' } });

/** The greatest change number of any key, `0` without one. */
export async function newestKeyChange(manager: EntityManager): Promise<string> {
  const [newest] = await manager.find(ApiKey, {
    select: { id: true, changeNumber: true },
    order: { changeNumber: 'DESC' },
    take: 1,
  });
  return newest?.changeNumber ?? '0';
}

/**
 * Notes when keys were used last (ids and Unix milliseconds); an older instant than the stored one changes nothing. One
 * statement.
 */
export async function noteKeyUses(manager: EntityManager, uses: ReadonlyMap<string, number>): Promise<void> {
  await manager.query(
    `UPDATE api_keys SET last_used_at = used.at
     FROM (SELECT unnest($1::bigint[]) AS id, to_timestamp(unnest($2::bigint[]) / 1000.0) AS at) used
     WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
    [[...uses.keys()], [...uses.values()]],
  );
}
