import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiKey,
  ApiKey as ApiKeyEntity,
  createKey,
  keyHashOf,
  revokeKey,
  setPlan,
} from '@jetton-analytics/postgres';
import { createLogger, type HttpApp } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { type CuttableRelay, cuttableRelay } from '../../../packages/read-model/test/cuttable-relay.js';
import { ownDatabase } from './own-database.js';
import { problemIn } from './problem-in.js';
import { startGateway } from './start-gateway.js';
import { type StubApp, stubApp } from './stub-app.js';

const free = '/v1/status';
const paid = '/v1/jettons/stats';
const at = new Date();
const lines: string[] = [];
const keys: string[] = [];
let store: Awaited<ReturnType<typeof ownDatabase>>;
let relay: CuttableRelay;
let stub: StubApp;
let app: HttpApp;
let url: string;

beforeAll(async () => {
  store = await ownDatabase();
  relay = await cuttableRelay(store.url);
  const relayed = new URL(store.url);
  relayed.port = new URL(relay.url).port;
  stub = await stubApp('{"a":1}');
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ name: 'gateway', level: 'trace', format: 'json', destination });
  const env = {
    STATISTICS_URL: stub.url,
    METRICS_URL: stub.url,
    DATABASE_URL: relayed.toString(),
    ACCESS_FOLLOW_INTERVAL_MS: '100',
  };
  app = await startGateway(env, logger);
  ({ url } = await app.listen());
}, 480_000);
afterAll(async () => {
  await app.close();
  await store.database.destroy();
  relay.close();
  stub.close();
});

async function newKey(plan: string, expiresAt?: Date): Promise<{ key: string; record: ApiKey }> {
  const issued = await createKey(store.database.manager, {
    owner: 'carol',
    plan,
    by: 'spec',
    at,
    ...(expiresAt !== undefined && { expiresAt }),
  });
  keys.push(issued.key);
  return issued;
}
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });
const status = async (path: string, key?: string) =>
  (await get(path, key === undefined ? {} : { 'X-API-Key': key })).status;

describe('credentials', () => {
  it('are taken from either header, and from both where they are the same', async () => {
    const { key } = await newKey('pro');
    const { key: other } = await newKey('pro');
    const bearer = { Authorization: `Bearer ${key}` };
    for (const headers of [bearer, { 'X-API-Key': key }, { ...bearer, 'X-API-Key': key }]) {
      expect((await get(paid, headers)).status).toBe(200);
    }
    expect(await problemIn(await get(free, { ...bearer, 'X-API-Key': other }))).toMatchObject({
      status: 401,
      code: 16,
    });
  });

  it('401 on every operation for any that is no living key: never silently public', async () => {
    const { key: expired } = await newKey('pro', new Date(Date.now() + 50));
    const { key: revoked } = await newKey('pro');
    await revokeKey(store.database.manager, { key: revoked, by: 'spec', at });
    const { key: real } = await newKey('pro');
    const unknown = 'ja_live_0123456789ABCDEFGHIJKLMNOPQRSTUV3qOrpc';
    await pollUntil(async () => (await status(free, expired)) === 401, { what: 'the end of the key' });
    for (const path of [free, paid, '/v1/jettons', '/v1/system/ping']) {
      for (const headers of [
        { 'X-API-Key': unknown },
        { 'X-API-Key': expired },
        { 'X-API-Key': revoked },
        { 'X-API-Key': `${real}x` },
        { Authorization: `Basic ${real}` },
        { Authorization: '' },
      ]) {
        const response = await get(path, headers);
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
        expect(await problemIn(response)).toMatchObject({ status: 401, code: 16, details: [] });
      }
    }
  });

  it('are never taken from the query', async () => {
    const { key } = await newKey('pro');
    expect(await status(`${paid}?api_key=${key}&key=${key}&access_token=${key}`)).toBe(401);
    await get(`${free}?api_key=${key}`);
    expect(stub.requests.at(-1)?.headers['x-api-key']).toBeUndefined();
  });

  it('do not reach the apps behind', async () => {
    const { key } = await newKey('pro');
    await get(paid, { Authorization: `Bearer ${key}`, 'X-API-Key': key, Cookie: key });
    expect(JSON.stringify(stub.requests.at(-1))).not.toContain(key.slice(8));
  });
});

describe('plans', () => {
  it('paid operations: 401 without a key, 403 with one whose plan is not paid, 200 with one whose plan is', async () => {
    const { key: freeKey } = await newKey('free');
    const { key: proKey } = await newKey('pro');
    for (const path of [
      paid,
      '/v1/jettons/transactions/change',
      '/v1/jettons/traders/change',
      '/v1/jettons/price/change',
    ]) {
      for (const method of ['GET', 'POST']) {
        const ask = (key?: string) =>
          fetch(`${url}${path}`, {
            method,
            headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'X-API-Key': key }) },
            ...(method === 'POST' && { body: '{}' }),
          });
        expect(await problemIn(await ask())).toMatchObject({ status: 401, code: 16 });
        expect(await problemIn(await ask(freeKey))).toMatchObject({ status: 403, code: 7 });
        expect((await ask(proKey)).status).toBe(200);
      }
    }
    const volume = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    expect((await fetch(`${url}/v1/jettons/trading-volume/change`, volume)).status).toBe(200);
  });

  it('a change takes effect within ten seconds', async () => {
    const { key } = await newKey('free');
    expect(await status(paid, key)).toBe(403);
    await setPlan(store.database.manager, { name: 'free', paid: true, by: 'spec', at });
    await pollUntil(async () => (await status(paid, key)) === 200, { what: 'the new plan', timeoutMs: 10_000 });
    await setPlan(store.database.manager, { name: 'free', paid: false, by: 'spec', at });
    await pollUntil(async () => (await status(paid, key)) === 403, { what: 'the old plan', timeoutMs: 10_000 });
  });

  it('answers to holders of keys are private, those to others public', async () => {
    const { key } = await newKey('free');
    expect((await get(free)).headers.get('cache-control')).toBe('public, max-age=1');
    expect((await get(free, { 'X-API-Key': key })).headers.get('cache-control')).toBe('private');
  });
});

describe('answers kept for a moment', () => {
  const path = '/v1/jettons/metrics?search=x';
  const asked = () => stub.requests.filter(({ url: target }) => target === path).length;

  it('are for those without a key alone: whoever shows one is answered by the app each time', async () => {
    const { key } = await newKey('free');
    const texts = await Promise.all(Array.from({ length: 5 }, async () => (await get(path)).text()));
    expect(new Set(texts)).toEqual(new Set(['{"a":1}']));
    expect(asked()).toBe(1);
    for (const count of [2, 3]) {
      expect((await get(path, { 'X-API-Key': key })).headers.get('cache-control')).toBe('private');
      expect(asked()).toBe(count);
    }
  });

  it('give no 401 away: a key that is refused is refused, whatever is kept', async () => {
    expect((await get(path)).status).toBe(200);
    expect(await status(path, 'ja_live_of_nobody')).toBe(401);
  });

  it('are told unchanged to whoever has them, without the app', async () => {
    const { headers } = await get(path);
    const before = asked();
    const again = await get(path, { 'If-None-Match': headers.get('etag') ?? '' });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', headers.get('etag')]);
    expect(asked()).toBe(before);
  });
});

describe('keys', () => {
  it('work from the moment they are made, also when they were looked for before', async () => {
    const { key } = await newKey('pro');
    expect(await status(paid, key)).toBe(200);
  });

  it('stop within ten seconds of their revocation', async () => {
    const { key } = await newKey('pro');
    expect(await status(paid, key)).toBe(200);
    await revokeKey(store.database.manager, { key, by: 'spec', at });
    await pollUntil(async () => (await status(paid, key)) === 401, { what: 'the revocation', timeoutMs: 10_000 });
  });

  it('without Postgres: those seen go on, unseen ones are 503, no key is needed where none was', async () => {
    const { key: seen } = await newKey('pro');
    const { key: unseen } = await newKey('pro');
    expect(await status(paid, seen)).toBe(200);
    relay.cut();
    await pollUntil(async () => (await (await get('/readyz')).text()).includes('"postgres":{"ok":false'), {
      what: 'the outage',
    });
    expect(await status(paid, seen)).toBe(200);
    expect(await status(free)).toBe(200);
    const response = await get(paid, { 'X-API-Key': unseen });
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await problemIn(response)).toMatchObject({ status: 503, code: 14 });
    expect(await status(paid, 'nonsense')).toBe(401);
    relay.mend();
    await pollUntil(async () => (await status(paid, unseen)) === 200, { what: 'the end of the outage' });
  });

  it('show when they were used last, once the gateway has stopped', async () => {
    const { key, record } = await newKey('pro');
    const other = await startGateway({ STATISTICS_URL: stub.url, DATABASE_URL: store.url });
    const { url: base } = await other.listen();
    expect((await fetch(`${base}${paid}`, { headers: { 'X-API-Key': key } })).status).toBe(200);
    await other.close();
    const { lastUsedAt } = await store.database.manager.findOneByOrFail(ApiKeyEntity, { id: record.id });
    expect(lastUsedAt?.getTime()).toBeGreaterThanOrEqual(at.getTime());
  });

  it('appear in no log, nor do their hashes', () => {
    expect(lines.length).toBeGreaterThan(50);
    const log = lines.join('');
    expect(log).toContain('"plan":"pro"');
    expect(keys.length).toBeGreaterThan(10);
    for (const key of keys) {
      expect(log).not.toContain(key.slice(8));
      const hash = keyHashOf(key);
      for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const)
        expect(log).not.toContain(hash.toString(form));
    }
  });
});
