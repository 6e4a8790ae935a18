import { describe, expect, it } from '@jest/globals';
import { Problem } from '@jetton-analytics/common';
import { pollUntil } from '@jetton-analytics/testing';
import { walkers } from '../support/moving-market.js';
import type { RequestOptions } from '../support/service-client.js';
import { newKey, type RunningService } from './running-service.js';

const unknown = `0:${'ef'.repeat(32)}`;
const jetton = walkers[0] ?? '';
const tooLarge = JSON.stringify({ search: 'x'.repeat(70_000) });
const plain = { 'Content-Type': 'text/plain' };
const nobody = `ja_live_${'0'.repeat(38)}`;

type Row = readonly [what: string, status: number, code: number, path: string, options?: RequestOptions];

/** docs/http-api.md, "Errors": what the real apps make of each; faults of apps behind are in the gateway's own specs. */
const rows: readonly Row[] = [
  ['400: a parameter', 400, 3, '/v1/jettons?limit=0'],
  ['400: a body that is no JSON', 400, 3, '/v1/jettons', { body: '{' }],
  ['400: a body with a field twice', 400, 3, '/v1/jettons', { body: '{"limit":1,"limit":1}' }],
  ['400: a query beside a body', 400, 3, '/v1/jettons?limit=1', { body: {} }],
  ['400: a cursor', 400, 3, '/v1/jettons?cursor=abc'],
  ['401: no credential', 401, 16, '/v1/jettons/stats'],
  ['401: a bad credential', 401, 16, '/v1/jettons', { key: nobody }],
  ['404: a path', 404, 5, '/v1/coins'],
  ...['', '/stats', '/metrics', '/price', '/liquidity', '/holders', '/trust-score', '/markets', '/transactions'].map(
    (name): Row => [`404: an unknown jetton's${name}`, 404, 5, `/v1/jettons/${unknown}${name}`],
  ),
  ['404: an unknown jetton’s chart', 404, 5, `/v1/jettons/${unknown}/price/chart`],
  ['404: an unknown jetton’s preview', 404, 5, `/v1/jettons/${unknown}/chart-previews/price-day-dark.svg`],
  ['404: no market of that jetton', 404, 5, `/v1/jettons/${jetton}/markets/${unknown}/stats`],
  ['405', 405, 12, '/v1/jettons', { method: 'DELETE' }],
  ['413', 413, 3, '/v1/jettons', { body: tooLarge }],
  ['415', 415, 3, '/v1/jettons', { body: '{}', headers: plain }],
  ['431', 431, 3, '/v1/jettons', { headers: { 'X-Large': 'x'.repeat(70_000) } }],
];

/** Errors as the whole service tells them. */
export function errorSuite(running: () => RunningService): void {
  async function problem(path: string, options: RequestOptions = {}, client = running().client) {
    const response = await client.fetch(path, options);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const body = Problem.strict().parse(await response.json());
    expect(body.status).toBe(response.status);
    return { ...body, headers: response.headers };
  }

  describe('errors of the whole service', () => {
    // All five members: Jest takes a missing last argument for its callback.
    const whole = rows.map(([what, status, code, path, options = {}]) => [what, status, code, path, options] as const);
    it.each(whole)('%s', async (_what, status, code, path, options) => {
      const body = await problem(path, options);
      expect([body.status, body.code, body.details.length > 0]).toEqual([status, code, status === 400]);
      expect(body.headers.has('allow')).toBe(status === 405);
    });

    it.each(['/v1/jettons', '/v1/jettons/metrics', '/v1/jettons/stats'])(
      'a cursor of %s is refused with other filters, with another order, altered, and by another list',
      async (path) => {
        const { client, key } = running();
        const first = (await (await client.fetch(`${path}?limit=5&search=walker`, { key })).json()) as { next: string };
        const reasonOf = async (one: string, query: string) =>
          (await problem(`${one}?${query}`, { key })).details.map(({ field, reason }) => `${field} ${reason}`);
        const { next } = first;
        expect(next.length).toBeLessThanOrEqual(512);
        for (const query of ['search=walke', 'search=walker&order=desc', 'search=walker&sort=fdmc', 'holders.min=1']) {
          expect(await reasonOf(path, `${query}&cursor=${next}`)).toEqual(['cursor CURSOR_MISMATCH']);
        }
        const middle = Math.floor(next.length / 2);
        const altered = `${next.slice(0, middle)}${next[middle] === 'A' ? 'B' : 'A'}${next.slice(middle + 1)}`;
        expect(await reasonOf(path, `search=walker&cursor=${altered}`)).toEqual(['cursor CURSOR_INVALID']);
        const other = path === '/v1/jettons' ? '/v1/jettons/metrics' : '/v1/jettons';
        expect(await reasonOf(other, `search=walker&cursor=${next}`)).toHaveLength(1);
        const again = await client.fetch(`${path}?limit=50&currency=EUR&search=WALKER&cursor=${next}`, { key });
        expect(again.status).toBe(200);
      },
    );

    it('the first failing group answers: path, method, credential, plan, limit, body, parameters, resource', async () => {
      const { deployment, balancers, key } = running();
      const limited = await deployment.startGateway(balancers.statistics, balancers.metrics, { RATE_LIMITS: 'on' });
      const { key: freeKey } = await newKey(deployment, 'free');
      const wrongBody = { body: tooLarge, headers: plain };
      const path = '/v1/jettons/stats';
      const steps: [number, string, RequestOptions][] = [
        [404, '/v1/coins', { ...wrongBody, key: nobody, method: 'PUT' }],
        [405, path, { ...wrongBody, key: nobody, method: 'PUT' }],
        [401, path, { ...wrongBody, key: nobody }],
        [403, path, { ...wrongBody, key: freeKey }],
        [415, path, { ...wrongBody, key, body: '{' }],
        [413, path, { key, body: tooLarge }],
        [400, path, { key, body: '{' }],
        [400, `/v1/jettons/${unknown}?limit=1`, {}],
        [404, `/v1/jettons/${unknown}`, {}],
      ];
      for (const [status, target, options] of steps) {
        expect([target, (await problem(target, options, limited)).status]).toEqual([target, status]);
      }
      const over = await pollUntil(
        async () => {
          const response = await limited.fetch('/v1/jettons?limit=0', { method: 'POST', ...wrongBody });
          const body = Problem.parse(await response.json());
          return response.status === 429 && { body, headers: response.headers };
        },
        { what: 'the limit', timeoutMs: 5_000, intervalMs: 0 },
      );
      expect([over.body.code, over.body.details]).toEqual([8, []]);
      expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await problem(path, { key: nobody }, limited)).status).toBe(401);
    }, 600_000);

    it('504 while an app behind does not answer, and 200 once it does again', async () => {
      const { replicas, deployment } = running();
      for (const app of replicas.metrics) app.freeze();
      try {
        const body = await problem('/v1/jettons?limit=1');
        expect([body.status, body.code]).toEqual([504, 4]);
        // The other app goes on.
        expect((await running().client.fetch(`/v1/jettons/${jetton}/stats`)).status).toBe(200);
      } finally {
        for (const app of replicas.metrics) app.goOn();
      }
      await deployment.explained(async () => {
        await pollUntil(async () => (await running().client.fetch('/v1/jettons?limit=1')).status === 200, {
          what: 'the app behind',
          timeoutMs: 60_000,
        });
      });
    }, 600_000);

    it('500 while the store of an app lacks a table, for what reads it alone, and 200 once it is back', async () => {
      const { deployment, client } = running();
      const path = `/v1/jettons/${jetton}/markets`;
      await deployment.clickhouse('RENAME TABLE kept_last_trades_v1 TO kept_last_trades_lost');
      try {
        // Until the next snapshot an answer may be at hand.
        const body = await pollUntil(
          async () => {
            const one = await client.fetch(path);
            return one.status === 500 && Problem.strict().parse(await one.json());
          },
          { what: 'the failure', timeoutMs: 60_000 },
        );
        expect(body).toMatchObject({ type: '/errors/internal', code: 13, status: 500, details: [], instance: path });
        expect(body.detail).toBe(body.message);
        expect(JSON.stringify(body)).not.toMatch(/kept_last|clickhouse|select|127\.0\.0\.1|localhost/i);
        expect((await client.fetch(`/v1/jettons/${jetton}/transactions`)).status).toBe(200);
      } finally {
        await deployment.clickhouse('RENAME TABLE kept_last_trades_lost TO kept_last_trades_v1');
      }
      await pollUntil(async () => (await client.fetch(path)).status === 200, {
        what: 'the markets',
        timeoutMs: 60_000,
      });
    }, 600_000);

    it('no app has written a key or its hash in any line, whatever was asked', () => {
      const { lines, found } = running().deployment.leaks;
      expect(lines).toBeGreaterThan(100);
      expect(found).toEqual([]);
    });
  });
}
