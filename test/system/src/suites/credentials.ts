import { describe, expect, it } from '@jest/globals';
import { pollUntil } from '@jetton-analytics/testing';
import { walkers } from '../support/moving-market.js';
import { outageMs } from '../support/outage.js';
import { newKey, type RunningService } from './running-service.js';

const jetton = walkers[0] ?? '';
const gets = ['stats', 'transactions/change', 'traders/change', 'price/change'].map((name) => `/v1/jettons/${name}`);
const free = [`/v1/jettons?limit=2`, `/v1/jettons/${jetton}/stats`, `/v1/jettons/${jetton}`, '/v1/system/ping'];
/** Keys and plans, changed by the admin's tool, as the gateway decides on them. */
export function credentialSuite(running: () => RunningService): void {
  const status = async (path: string, key?: string, body?: object) =>
    (await running().client.get(path, { ...(key !== undefined && { key }), ...(body !== undefined && { body }) }))
      .status;
  /** The status, and what is told of a failure. */
  const told = async (path: string, key?: string) => {
    const { status: code, body } = await running().client.get(path, key === undefined ? {} : { key });
    return code === 200 ? `${code}` : `${code} ${(body as { detail?: string }).detail}`;
  };
  const allWell = Array.from({ length: 2 + free.length }, () => '200');
  const ask = (path: string, key?: string) => status(`${path}?address=${jetton}`, key);

  describe('keys and plans over the whole path', () => {
    it('a paid operation answers 401 without a key, 403 with one of a free plan, 200 with one of a paid plan', async () => {
      const { deployment, key: pro } = running();
      const { key: none } = await newKey(deployment, 'free');
      for (const path of gets) {
        const body = { address: [jetton] };
        expect([await ask(path), await ask(path, none), await ask(path, pro)]).toEqual([401, 403, 200]);
        const posts = [
          await status(path, undefined, body),
          await status(path, none, body),
          await status(path, pro, body),
        ];
        expect(posts).toEqual([401, 403, 200]);
      }
      expect(await status('/v1/jettons/trading-volume/change', undefined, { address: [jetton] })).toBe(200);
    }, 600_000);

    it('a revoked key stops within 10 s', async () => {
      const { deployment } = running();
      const { key, id } = await newKey(deployment, 'pro');
      expect(await ask(gets[0] ?? '', key)).toBe(200);
      await deployment.admin('keys', 'revoke', id);
      await pollUntil(async () => (await ask(free[3] ?? '', key)) === 401, {
        what: 'the revocation',
        timeoutMs: 10_000,
      });
      expect(await ask(gets[0] ?? '', key)).toBe(401);
    }, 600_000);

    it('a change of a plan takes effect within 10 s', async () => {
      const { deployment } = running();
      const { key } = await newKey(deployment, 'free');
      const path = gets[0] ?? '';
      expect(await ask(path, key)).toBe(403);
      await deployment.admin('plans', 'set', 'free', '--paid');
      await pollUntil(async () => (await ask(path, key)) === 200, { what: 'the change', timeoutMs: 10_000 });
      await deployment.admin('plans', 'set', 'free', '--no-paid');
      await pollUntil(async () => (await ask(path, key)) === 403, { what: 'the change back', timeoutMs: 10_000 });
    }, 600_000);

    it(
      `with Postgres away for ${outageMs / 1_000} s known keys and free operations go on, unseen keys are 503, and all is well after`,
      async () => {
        const { deployment, client, key } = running();
        const { key: unseen } = await newKey(deployment, 'pro');
        const asOf = async () => (await client.fetch(`/v1/jettons/${jetton}/stats`)).headers.get('x-data-as-of') ?? '';
        const before = await asOf();
        expect(await told(`${gets[0]}?address=${jetton}`, key)).toBe('200');
        deployment.postgres.cut();
        try {
          const end = performance.now() + outageMs;
          await pollUntil(async () => (await ask(gets[0] ?? '', unseen)) === 503, {
            what: 'the outage',
            timeoutMs: 8_000,
          });
          let asked = 0;
          await pollUntil(
            async () => {
              const known = gets.slice(0, 2).map((path) => told(`${path}?address=${jetton}`, key));
              expect(await Promise.all([...known, ...free.map((path) => told(path))])).toEqual(allWell);
              expect(await ask(gets[0] ?? '', unseen)).toBe(503);
              asked += 1;
              return performance.now() >= end;
            },
            { what: 'the end of the outage', timeoutMs: outageMs + 5_000, intervalMs: 200 },
          );
          expect(asked).toBeGreaterThan(10);
          // Figures of trades need no Postgres.
          expect((await asOf()) > before).toBe(true);
        } finally {
          deployment.postgres.mend();
        }
        await pollUntil(async () => (await ask(gets[0] ?? '', unseen)) === 200, {
          what: 'the unseen key',
          timeoutMs: 15_000,
        });
      },
      78_000 + outageMs,
    );

    it('a key in the query is refused, and is written nowhere', async () => {
      const { deployment, client, key } = running();
      const { status: code, body } = await client.get(`/v1/jettons?api_key=${key}`);
      expect([code, (body as { details: { field: string }[] }).details.map(({ field }) => field)]).toEqual([
        400,
        ['api_key'],
      ]);
      expect(await status(`${gets[0]}?key=${key}&access_token=${key}`)).toBe(401);
      await client.fetch(`/v1/jettons?search=${key}`, { headers: { Authorization: `Bearer ${key}` } });
      expect(deployment.leaks.found).toEqual([]);
    });
  });
}
