import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { AccessError } from './access-error.js';
import { ApiKey } from './api-key.entity.js';
import { isKeyText, keyHashOf, keyPrefixOf, newKeyText } from './key-text.js';
import { Plan } from './plan.entity.js';
import { checkViolation } from './plans.js';

/** Who makes a change, and when. */
export interface ChangedBy {
  readonly by: string;
  readonly at: Date;
}

export interface NewKey extends ChangedBy {
  readonly owner: string;
  readonly plan: string;
  readonly expiresAt?: Date;
}

/** A key just made: the only moment at which its text exists. */
export interface IssuedKey {
  readonly key: string;
  readonly record: ApiKey;
}

/** Makes a key. Rejects with AccessError: `unknownPlan`, or `invalid` for an empty owner or an end that is past. */
export async function createKey(manager: EntityManager, wanted: NewKey): Promise<IssuedKey> {
  const { owner, plan, expiresAt, by, at } = wanted;
  if (!(await manager.existsBy(Plan, { name: plan }))) throw new AccessError('unknownPlan', `there is no plan ${plan}`);
  if (expiresAt !== undefined && expiresAt <= at)
    throw new AccessError('invalid', 'the key would have expired already');
  const key = newKeyText();
  const row = { prefix: keyPrefixOf(key), keyHash: keyHashOf(key), owner, plan, createdAt: at, setBy: by, setAt: at };
  try {
    await manager.insert(ApiKey, { ...row, expiresAt: expiresAt ?? null });
  } catch (cause) {
    throw checkViolation(cause)
      ? new AccessError('invalid', 'the key needs an owner of 1 to 200 characters', { cause })
      : cause;
  }
  return { key, record: await manager.findOneByOrFail(ApiKey, { prefix: row.prefix }) };
}

/** Keys, newest first: all, or those of one owner; `liveAt` leaves out the revoked and expired ones. */
export async function listKeys(
  manager: EntityManager,
  { owner, liveAt }: { readonly owner?: string; readonly liveAt?: Date } = {},
): Promise<ApiKey[]> {
  const base = owner === undefined ? {} : { owner };
  const live = { ...base, revokedAt: IsNull() };
  const where =
    liveAt === undefined
      ? base
      : [
          { ...live, expiresAt: IsNull() },
          { ...live, expiresAt: MoreThan(liveAt) },
        ];
  return manager.find(ApiKey, { where, order: { id: 'DESC' } });
}

/**
 * Ends a key at once. `key` is its id, its visible prefix or its whole text. A key that is revoked already stays as it is.
 * Rejects with AccessError `unknownKey`.
 */
export function revokeKey(
  manager: EntityManager,
  { key, by, at }: ChangedBy & { readonly key: string },
): Promise<ApiKey> {
  return manager.transaction(async (transaction) => {
    const record = await lockedKey(transaction, key);
    if (record.revokedAt !== null) return record;
    await transaction.update(ApiKey, { id: record.id }, { revokedAt: at, setBy: by, setAt: at });
    return transaction.findOneByOrFail(ApiKey, { id: record.id });
  });
}

/**
 * Makes a key with the owner and plan of another, which from then on ends after `graceSeconds` (unless it ends earlier),
 * so that its owner has time to change over. Rejects with AccessError: `unknownKey`; `keyEnded` for a key that is revoked
 * or expired.
 */
export function rotateKey(
  manager: EntityManager,
  { key, graceSeconds, by, at }: ChangedBy & { readonly key: string; readonly graceSeconds: number },
): Promise<IssuedKey & { former: ApiKey }> {
  return manager.transaction(async (transaction) => {
    const { id, owner, plan, expiresAt, revokedAt } = await lockedKey(transaction, key);
    if (revokedAt !== null || (expiresAt !== null && expiresAt <= at)) {
      throw new AccessError('keyEnded', 'the key is revoked or has expired');
    }
    const issued = await createKey(transaction, { owner, plan, by, at });
    const graceEnd = new Date(at.getTime() + graceSeconds * 1_000);
    const end = expiresAt !== null && expiresAt < graceEnd ? expiresAt : graceEnd;
    await transaction.update(ApiKey, { id }, { expiresAt: end, setBy: by, setAt: at });
    return { ...issued, former: await transaction.findOneByOrFail(ApiKey, { id }) };
  });
}

async function lockedKey(transaction: EntityManager, key: string): Promise<ApiKey> {
  const where = /^\d{1,18}$/.test(key) ? { id: key } : isKeyText(key) ? { keyHash: keyHashOf(key) } : { prefix: key };
  const record = await transaction.findOne(ApiKey, { where, lock: { mode: 'pessimistic_write' } });
  if (record === null) throw new AccessError('unknownKey', 'there is no such key');
  return record;
}
