import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@jetton-analytics/common';
import { createKey } from '@jetton-analytics/postgres';
import * as fc from 'fast-check';
import { checkFuzz, fuzzOf } from './fuzz-operation.js';
import { problemIn } from './problem-in.js';
import { jetton, pool, type WholeService, wholeService } from './query-apps.js';

const at = new Date();
const json = { 'Content-Type': 'application/json' };
const unknown = `0:${'ff'.repeat(32)}`;
let service: WholeService;
let proKey: string;
let freeKey: string;

beforeAll(async () => {
  service = await wholeService();
  const issue = async (plan: string) => (await createKey(service.manager, { owner: 'a', plan, by: 'spec', at })).key;
  [proKey, freeKey] = [await issue('pro'), await issue('free')];
}, 600_000);
afterAll(() => service?.close());

interface Row {
  readonly status: number;
  readonly code: number;
  readonly path: string;
  readonly init?: () => RequestInit;
  readonly details?: readonly string[];
}
const post = (body: string, headers: Record<string, string> = json): RequestInit => ({ method: 'POST', headers, body });
const withKey = (key: string): RequestInit => ({ headers: { 'X-API-Key': key } });
const volumes = '/v1/jettons/trading-volume/change';

const table: readonly (readonly [string, Row])[] = [
  [
    'every wrong parameter of a query at once',
    {
      status: 400,
      code: 3,
      path: '/v1/jettons?limit=101&sort=size&addres=x&excludeScam=perhaps',
      details: ['limit', 'sort', 'excludeScam', 'addres'],
    },
  ],
  [
    'every wrong field of a body at once',
    {
      status: 400,
      code: 3,
      path: volumes,
      init: () => post('{"address":["x"],"currency":"gold","more":1}'),
      details: ['address[0]', 'currency', 'more'],
    },
  ],
  [
    'a body that is no JSON',
    { status: 400, code: 3, path: volumes, init: () => post('{"address":'), details: ['address', 'body'] },
  ],
  ['a cursor that nobody gave out', { status: 400, code: 3, path: '/v1/jettons?cursor=abc', details: ['cursor'] }],
  ['a malformed address in the path', { status: 400, code: 3, path: '/v1/jettons/x/stats', details: ['address'] }],
  ['a missing credential', { status: 401, code: 16, path: '/v1/jettons/stats' }],
  ['a bad credential', { status: 401, code: 16, path: '/v1/jettons', init: () => withKey('x') }],
  ['a plan that is too low', { status: 403, code: 7, path: '/v1/jettons/stats?limit=0', init: () => withKey(freeKey) }],
  ['an unknown path', { status: 404, code: 5, path: '/v1/jetton', init: () => withKey('x') }],
  ['an unknown jetton', { status: 404, code: 5, path: `/v1/jettons/${unknown}` }],
  ['an unknown jetton, in its statistics', { status: 404, code: 5, path: `/v1/jettons/${unknown}/stats` }],
  ['a pool that is no market', { status: 404, code: 5, path: `/v1/jettons/${jetton}/markets/${unknown}/stats` }],
  ['another method', { status: 405, code: 12, path: volumes, init: () => withKey('x') }],
  ['a large body', { status: 413, code: 3, path: volumes, init: () => post(`"${'x'.repeat(70_000)}"`) }],
  ['another content type', { status: 415, code: 3, path: volumes, init: () => post('{}', { 'Content-Type': 'a/b' }) }],
  [
    'a large header',
    { status: 431, code: 3, path: '/v1/status', init: () => ({ headers: { 'X-Big': 'x'.repeat(60_000) } }) },
  ],
];

describe('errors', () => {
  it.each(table)('%s', async (_what, { status, code, path, init, details }) => {
    const body = await problemIn(await fetch(`${service.url}${path}`, init?.()));
    expect([body.status, body.code]).toEqual([status, code]);
    expect(body.details.map(({ field }) => field).sort()).toEqual([...(details ?? [])].sort());
    expect(body.message).toBe(body.detail);
  });

  it('429 beyond the limit, 503 while a part is away', async () => {
    const limited = await service.gateway({ RATE_LIMITS: 'on' });
    const statuses: number[] = [];
    for (let index = 0; index < 14; index += 1) statuses.push((await fetch(`${limited}/v1/jettons`)).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(statuses.slice(10)).toContain(429);
    const lonely = await service.gateway({ METRICS_URL: 'http://127.0.0.1:1' });
    expect(await problemIn(await fetch(`${lonely}/v1/jettons`))).toMatchObject({ status: 503, code: 14 });
    expect((await fetch(`${lonely}/v1/jettons/${jetton}/stats`)).status).toBe(200);
  });

  it('one jetton and one market are there, so that the rows above mean what they say', async () => {
    for (const path of [`/v1/jettons/${jetton}/stats`, `/v1/jettons/${jetton}/markets/${pool}/stats`, '/v1/jettons']) {
      expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    }
    expect((await fetch(`${service.url}/v1/jettons/stats`, withKey(proKey))).status).toBe(200);
  });
});

describe('anything at all', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: never a 5xx, always the promised body or the one of errors',
    async (_id, operation) => {
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(fuzzOf(operation), async (fuzz) => {
          statuses.add(await checkFuzz(service.url, proKey, operation, fuzz));
        }),
        { numRuns: 60 },
      );
      expect(statuses).toContain(400);
    },
    300_000,
  );
});

// The last: what it takes away, the tests above need.
describe('an app behind that fails of itself', () => {
  it('500 from whatever reads the table that its store has lost, and no word of which', async () => {
    // Not the markets, nor the chart up to now: what the tests above asked for of them may be remembered.
    const requests = ['transactions?limit=7', 'price/chart?resolution=hour1&from=1767225600&to=1767229200'].map(
      (request) => `/v1/jettons/${jetton}/${request}`,
    );
    expect((await fetch(`${service.url}/v1/jettons/${jetton}/transactions`)).status).toBe(200);
    await service.loseHistory();
    for (const request of requests) {
      const [path] = request.split('?');
      const response = await fetch(`${service.url}${request}`);
      const body = await problemIn(response);
      expect(body).toMatchObject({ type: '/errors/internal', status: 500, code: 13, details: [], instance: path });
      expect(JSON.stringify({ ...body, instance: '' })).not.toMatch(/pool_trades|clickhouse|table|exception/i);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect((await fetch(`${service.url}/v1/jettons/${jetton}`)).status).toBe(200);
  });
});
