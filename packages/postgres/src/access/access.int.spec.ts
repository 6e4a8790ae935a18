import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { createDataSource } from '../data-source.js';
import { migrate } from '../migrate.js';
import { ApiKeyChange } from './api-key-change.entity.js';
import { ApiKey } from './api-key.entity.js';
import { isKeyText, keyHashOf } from './key-text.js';
import { createKey, listKeys, revokeKey, rotateKey } from './keys.js';
import { PlanChange } from './plan-change.entity.js';
import { listPlans, setPlan } from './plans.js';
import { publicPlan } from './public-plan.js';
import { findKey, keysChangedAfter, newestKeyChange, noteKeyUses, plansChangedAfter } from './read-access.js';

const at = new Date('2026-01-02T03:04:05Z');
const later = new Date('2026-01-03T00:00:00Z');
let database: DataSource;
let manager: EntityManager;

beforeAll(async () => {
  const server = await sharedPostgres();
  const admin = await createDataSource(server.url, { application: 'spec' }).initialize();
  const name = uniqueName('access');
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.destroy();
  const own = new URL(server.url);
  own.pathname = `/${name}`;
  await migrate(own.toString());
  database = await createDataSource(own.toString(), { application: 'spec' }).initialize();
  ({ manager } = database);
}, 480_000);
afterAll(() => database?.destroy());

describe('plans', () => {
  it('begin with the decided ones; the public one is as the code has it', async () => {
    const plans = await listPlans(manager);
    expect(plans.map(({ name, paid, requestsPerSecond, burst }) => [name, paid, requestsPerSecond, burst])).toEqual([
      ['business', true, 500, 1_000],
      ['free', false, 5, 20],
      ['pro', true, 50, 100],
      ['public', false, 1, 10],
    ]);
    expect(plans.find(({ name }) => name === 'public')).toMatchObject(publicPlan);
  });

  it('are set in part, with who and when of every change kept', async () => {
    const plan = await setPlan(manager, { name: 'pro', burst: 200, by: 'ann', at });
    expect(plan).toMatchObject({ paid: true, requestsPerSecond: 50, burst: 200, setBy: 'ann', setAt: at });
    const history = await manager.find(PlanChange, { where: { name: 'pro' }, order: { changeNumber: 'ASC' } });
    expect(history.map(({ burst, setBy }) => [burst, setBy])).toEqual([
      [100, 'migration'],
      [200, 'ann'],
    ]);
  });

  it('are made only with every number, and only within bounds', async () => {
    const made = { name: 'trial', requestsPerSecond: 2, burst: 4, requestsPerDay: 100, by: 'ann', at };
    await expect(setPlan(manager, { name: 'trial', burst: 4, by: 'ann', at })).rejects.toMatchObject({
      code: 'invalid',
    });
    for (const bad of [{ burst: 1 }, { requestsPerSecond: 0 }, { requestsPerDay: 0 }, { name: 'Ä' }, { burst: 1e12 }]) {
      await expect(setPlan(manager, { ...made, ...bad })).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(await setPlan(manager, made)).toMatchObject({ name: 'trial', paid: false });
    await expect(database.query(`DELETE FROM plans WHERE name = 'trial'`)).rejects.toThrow('history must stay');
  });

  it('are followed by change number', async () => {
    const before = (await plansChangedAfter(manager, '0')).at(-1)?.changeNumber ?? '';
    await setPlan(manager, { name: 'free', paid: true, by: 'bob', at });
    expect((await plansChangedAfter(manager, before)).map(({ name, paid }) => [name, paid])).toEqual([['free', true]]);
  });
});

describe('keys', () => {
  it('are stored as a hash with their visible prefix, never as they are', async () => {
    const { key, record } = await createKey(manager, { owner: 'carol', plan: 'pro', by: 'ann', at });
    expect(isKeyText(key)).toBe(true);
    expect(record).toMatchObject({
      prefix: key.slice(0, 16),
      owner: 'carol',
      plan: 'pro',
      createdAt: at,
      lastUsedAt: null,
    });
    const row = JSON.stringify(await database.query(`SELECT api_keys::text FROM api_keys`));
    expect(row).not.toContain(key.slice(16));
    expect(await findKey(manager, keyHashOf(key))).toMatchObject({ id: record.id, plan: 'pro', revokedAt: null });
    expect(await findKey(manager, keyHashOf(`${key}x`))).toBeNull();
  });

  it('are refused for an unknown plan, no owner, or an end in the past', async () => {
    const wanted = { owner: 'carol', plan: 'pro', by: 'ann', at };
    await expect(createKey(manager, { ...wanted, plan: 'gold' })).rejects.toMatchObject({ code: 'unknownPlan' });
    await expect(createKey(manager, { ...wanted, owner: '' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(createKey(manager, { ...wanted, expiresAt: at })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('are revoked by id, prefix or text, once, with who and when', async () => {
    const { key, record } = await createKey(manager, { owner: 'dave', plan: 'free', by: 'ann', at });
    expect(await revokeKey(manager, { key: record.prefix, by: 'bob', at: later })).toMatchObject({ revokedAt: later });
    expect(await revokeKey(manager, { key, by: 'eve', at })).toMatchObject({ revokedAt: later, setBy: 'bob' });
    const changes = await manager.find(ApiKeyChange, { where: { keyId: record.id }, order: { changeNumber: 'ASC' } });
    expect(changes.map(({ setBy, revokedAt }) => [setBy, revokedAt])).toEqual([
      ['ann', null],
      ['bob', later],
    ]);
    await expect(revokeKey(manager, { key: '999999', by: 'a', at })).rejects.toMatchObject({ code: 'unknownKey' });
    await expect(database.query(`UPDATE api_keys SET key_hash = sha256('x')`)).rejects.toThrow('history must stay');
  });

  it('are rotated: the new one lives beside the former until its grace ends', async () => {
    const first = await createKey(manager, { owner: 'erin', plan: 'business', by: 'ann', at });
    const { key, record, former } = await rotateKey(manager, { key: first.key, graceSeconds: 60, by: 'bob', at });
    expect(key).not.toBe(first.key);
    expect(record).toMatchObject({ owner: 'erin', plan: 'business', expiresAt: null });
    expect(former.expiresAt).toEqual(new Date(at.getTime() + 60_000));
    expect(await listKeys(manager, { owner: 'erin', liveAt: at })).toHaveLength(2);
    expect((await listKeys(manager, { owner: 'erin', liveAt: later })).map(({ id }) => id)).toEqual([record.id]);
    await expect(
      rotateKey(manager, { key: former.prefix, graceSeconds: 60, by: 'bob', at: later }),
    ).rejects.toMatchObject({ code: 'keyEnded' });
  });

  it('are followed by change number; a use is no change, and never goes back', async () => {
    const before = await newestKeyChange(manager);
    const { record } = await createKey(manager, { owner: 'frank', plan: 'free', by: 'ann', at });
    const changed = await keysChangedAfter(manager, before, 10);
    expect(changed.map(({ id }) => id)).toEqual([record.id]);
    await noteKeyUses(manager, new Map([[record.id, later.getTime()]]));
    await noteKeyUses(manager, new Map([[record.id, at.getTime()]]));
    expect(await newestKeyChange(manager)).toBe(changed[0]?.changeNumber);
    expect((await manager.findOneByOrFail(ApiKey, { id: record.id })).lastUsedAt).toEqual(later);
  });
});

describe('a key and its plan, changed at one moment', () => {
  it('wait for each other without a deadlock, however often', async () => {
    await setPlan(manager, { name: 'busy', requestsPerSecond: 1, burst: 1, requestsPerDay: 1, by: 'ann', at });
    for (let round = 1; round <= 40; round += 1) {
      const { record } = await createKey(manager, { owner: 'acme', plan: 'busy', by: 'ann', at });
      const [rotated, plan] = await Promise.all([
        rotateKey(manager, { key: record.prefix, graceSeconds: 60, by: 'ann', at }),
        setPlan(manager, { name: 'busy', burst: round + 1, by: 'bob', at }),
      ]);
      expect([rotated.record.plan, plan.burst]).toEqual(['busy', round + 1]);
    }
  });
});
