import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey, setPlan } from '@jetton-analytics/postgres';
import { createLogger, type HttpApp } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { ownDatabase } from './own-database.js';
import { problemIn } from './problem-in.js';
import { startGateway } from './start-gateway.js';
import { type StubApp, stubApp } from './stub-app.js';
import { Valkey, valkeyProgram } from './valkey.js';

const at = new Date();
const apps: HttpApp[] = [];
let store: Awaited<ReturnType<typeof ownDatabase>>;
let stub: StubApp;
let key: string;

beforeAll(async () => {
  store = await ownDatabase();
  const slow = { paid: false, requestsPerSecond: 1, burst: 5, requestsPerDay: 8, by: 'spec', at };
  await setPlan(store.database.manager, { name: 'slow', ...slow });
  ({ key } = await createKey(store.database.manager, { owner: 'a', plan: 'slow', by: 'spec', at }));
  stub = await stubApp('{"a":1}');
}, 480_000);
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await store.database.destroy();
  stub.close();
});

async function gateway(env: Record<string, string> = {}, lines: string[] = []): Promise<string> {
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ name: 'gateway', level: 'info', format: 'json', destination });
  const common = { STATISTICS_URL: stub.url, DATABASE_URL: store.url, RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' };
  const app = await startGateway({ ...common, ...env }, logger);
  apps.push(app);
  return (await app.listen()).url;
}

/** Asks as from an address, one that nobody else uses by default. */
let addresses = 0;
const ownAddress = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};
const ask = (url: string, address: string, more: Record<string, string> = {}, path = '/v1/status') =>
  fetch(`${url}${path}`, { headers: { 'X-Forwarded-For': address, ...more } });

async function allowed(url: string, count: number, address: string, more: Record<string, string> = {}) {
  let passed = 0;
  for (let index = 0; index < count; index += 1) if ((await ask(url, address, more)).status === 200) passed += 1;
  return passed;
}
const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));

describe('limits of one gateway', () => {
  let url: string;
  beforeAll(async () => {
    url = await gateway();
  });

  it('429 with Retry-After for an address beyond the public burst, told in every answer', async () => {
    const address = ownAddress();
    const first = await ask(url, address);
    expect(first.headers.get('ratelimit-policy')).toBe('"rate";q=10;w=10, "day";q=20000;w=86400');
    expect(first.headers.get('ratelimit')).toBe('"rate";r=9;t=10, "day";r=19999;t=86400');
    expect([first.headers.get('x-ratelimit-limit'), remaining(first)]).toEqual(['10', 9]);
    expect(await allowed(url, 30, address)).toBeGreaterThanOrEqual(9);
    const over = await pollUntil(
      async () => {
        const response = await ask(url, address);
        return response.status === 429 && response;
      },
      { what: 'the limit' },
    );
    const retryAfter = Number(over.headers.get('retry-after'));
    expect([retryAfter >= 1, retryAfter <= 10]).toEqual([true, true]);
    expect(over.headers.get('ratelimit')).toContain(`"rate";r=0;t=${retryAfter}, `);
    expect(await problemIn(over)).toMatchObject({ status: 429, code: 8 });
  });

  it('counts addresses apart, and an IPv6 network as one', async () => {
    expect(await allowed(url, 5, ownAddress())).toBe(5);
    await ask(url, '2001:db8:1:1::1');
    expect(remaining(await ask(url, '2001:db8:1:1:ffff::2'))).toBe(8);
    expect(remaining(await ask(url, '2001:db8:1:2::1'))).toBe(9);
  });

  it('counts a key wherever it is used from, with the limits of its plan, the day among them', async () => {
    expect(await allowed(url, 4, ownAddress(), { 'X-API-Key': key })).toBe(4);
    const response = await ask(url, ownAddress(), { 'X-API-Key': key });
    expect(response.headers.get('ratelimit-policy')).toBe('"rate";q=5;w=5, "day";q=8;w=86400');
    expect(response.headers.get('ratelimit')).toContain('"day";r=3;');
    const day = await pollUntil(
      async () => {
        const over = await ask(url, ownAddress(), { 'X-API-Key': key });
        return Number(over.headers.get('retry-after')) > 1_000 && over;
      },
      { what: 'the limit of the day', intervalMs: 300, timeoutMs: 15_000 },
    );
    expect(day.headers.get('x-ratelimit-limit')).toBe('8');
  }, 20_000);

  it('does not count a 304, nor what is answered before it would be counted', async () => {
    const address = ownAddress();
    const etag = (await ask(url, address)).headers.get('etag') ?? '';
    const known = await ask(url, address, { 'If-None-Match': etag });
    expect([known.status, remaining(known)]).toEqual([304, 9]);
    const free = [
      await ask(url, address, {}, '/v1/nothing'),
      await ask(url, address, { 'X-API-Key': 'x' }),
      await ask(url, address, {}, '/v1/jettons/stats'),
    ];
    expect(free.map((response) => [response.status, remaining(response)])).toEqual([
      [404, 9],
      [401, 9],
      [401, 9],
    ]);
  });

  it('tells a limit before it looks at parameters or bodies, and a credential before the limit', async () => {
    const address = ownAddress();
    await allowed(url, 12, address);
    const post = (headers: Record<string, string>) =>
      fetch(`${url}/v1/jettons/trading-volume/change`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address, 'Content-Type': 'text/xml', ...headers },
        body: 'x'.repeat(70_000),
      });
    expect((await post({})).status).toBe(429);
    expect((await post({ 'X-API-Key': 'x' })).status).toBe(401);
  });

  it('believes X-Forwarded-For only as far as it is told to', async () => {
    const plain = await gateway({ TRUST_PROXY: '' });
    await ask(plain, ownAddress());
    expect(remaining(await ask(plain, ownAddress()))).toBe(8);
    const hops = await gateway({ TRUST_PROXY: '1' });
    const address = ownAddress();
    await ask(hops, `${ownAddress()}, ${address}`);
    expect(remaining(await ask(hops, `${ownAddress()}, ${address}`))).toBe(8);
  });
});

const program = valkeyProgram();
(program === undefined ? describe.skip : describe)('limits held in Valkey', () => {
  let valkey: Valkey;
  const lines: string[] = [];
  let urls: string[];
  beforeAll(async () => {
    valkey = await Valkey.start(program ?? '');
    const env = { REDIS_URL: valkey.url };
    urls = [await gateway(env, lines), await gateway(env, lines)];
    await pollUntil(() => lines.filter((line) => line.includes('limits are held in Redis')).length === 2, {
      what: 'the connections',
    });
  }, 300_000);
  afterAll(() => valkey.stop());

  it('hold over all gateways together, and give back what is not counted', async () => {
    const [first = '', second = ''] = urls;
    const address = ownAddress();
    const before = await ask(first, address);
    expect(before.headers.get('ratelimit')).toBe('"rate";r=9;t=10, "day";r=19999;t=86400');
    const known = await ask(second, address, { 'If-None-Match': before.headers.get('etag') ?? '' });
    expect([known.status, known.headers.get('ratelimit')]).toEqual([304, '"rate";r=9;t=10, "day";r=19999;t=86400']);
    expect((await allowed(first, 6, address)) + (await allowed(second, 6, address))).toBe(9);
    expect((await ask(first, address, {}, '/v1/nothing')).headers.get('ratelimit')).toMatch(/^"rate";r=0;/);
  });

  it('go on per gateway while it is away, with a line in the log, and are shared again after', async () => {
    const [first = ''] = urls;
    await valkey.stop();
    await pollUntil(() => lines.some((line) => line.includes('limits are held per gateway')), { what: 'the line' });
    const address = ownAddress();
    expect(await allowed(first, 5, address)).toBe(5);
    expect((await ask(first, address)).headers.get('ratelimit')).toContain('"day";r=19994;');
    lines.length = 0;
    await valkey.start();
    await pollUntil(() => lines.filter((line) => line.includes('limits are held in Redis')).length === 2, {
      what: 'the return',
      timeoutMs: 15_000,
    });
    expect((await ask(first, address)).headers.get('ratelimit')).toContain('"day";r=19999;');
  }, 180_000);
});
