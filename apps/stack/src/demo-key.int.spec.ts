import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource, findKey, keyHashOf, listPlans, migrate, revokeKey } from '@jetton-analytics/postgres';
import { sharedPostgres, uniqueName } from '@jetton-analytics/testing';
import { keptDemoKey } from './demo-key.js';

describe('keptDemoKey', () => {
  let folder: string;
  let database: ReturnType<typeof createDataSource>;
  let url: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jetton-demo-key-'));
    const server = await sharedPostgres();
    const name = uniqueName('demo_key');
    const admin = await createDataSource(server.url, { application: 'spec' }).initialize();
    await admin.query(`CREATE DATABASE "${name}"`);
    await admin.destroy();
    url = Object.assign(new URL(server.url), { pathname: `/${name}` }).toString();
    await migrate(url);
    database = await createDataSource(url, { application: 'spec' }).initialize();
  }, 480_000);
  afterEach(async () => {
    await database.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes one key of a paid plan, keeps it for us alone, and makes another only where it was revoked', async () => {
    const key = await keptDemoKey(folder, url);
    expect(await keptDemoKey(folder, url)).toBe(key);
    expect(statSync(join(folder, 'demo-key')).mode & 0o777).toBe(0o600);
    const known = await findKey(database.manager, keyHashOf(key));
    const plans = await listPlans(database.manager);
    expect(plans.find(({ name }) => name === known?.plan)?.paid).toBe(true);
    await revokeKey(database.manager, { key, by: 'spec', at: new Date(0) });
    const another = await keptDemoKey(folder, url);
    expect(another).not.toBe(key);
    expect(await keptDemoKey(folder, url)).toBe(another);
  });
});
