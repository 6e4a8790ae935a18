import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JettonStatistics, MarketStatistics, Problem, ServiceStatus } from '@jetton-analytics/common';
import { createHttpApp, type HttpApp, loadSettings } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { AppModule as StatisticsModule } from '../../statistics/src/app.module.js';
import { Env as StatisticsEnv } from '../../statistics/src/env.js';
import { SnapshotSeeder } from '../../../packages/read-model/test/seed-snapshots.js';
import { ownDatabase } from './own-database.js';
import { problemIn } from './problem-in.js';
import { startGateway } from './start-gateway.js';

const steps = ['short', 'mid', 'long'] as const;
const jetton = `0:${'a1'.repeat(32)}`;
const unknown = `0:${'ff'.repeat(32)}`;
const pool = `0:${'c3'.repeat(32)}`;
const native = `0:${'00'.repeat(32)}`;
const t = 1_760_000_000;

const apps: HttpApp[] = [];
let seeder: SnapshotSeeder;
let store: Awaited<ReturnType<typeof ownDatabase>>;
let statistics: HttpApp;
let url: string;

beforeAll(async () => {
  seeder = await SnapshotSeeder.create();
  store = await ownDatabase();
  const settings = loadSettings(StatisticsEnv, {
    ...seeder.settings,
    PORT: '0',
    LOG_LEVEL: 'silent',
    FOLLOW_INTERVAL_MS: '50',
    DATABASE_URL: store.url,
    CURSOR_SECRET: 'signs the cursors of this spec only, nothing else',
  });
  const clock = { now: () => (t + 30) * 1_000 };
  statistics = await createHttpApp(StatisticsModule, { name: 'statistics', settings, clock });
  apps.push(statistics);
  const { url: statisticsUrl } = await statistics.listen();
  const app = await startGateway({ STATISTICS_URL: statisticsUrl });
  apps.push(app);
  ({ url } = await app.listen());
}, 480_000);
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await store.database.destroy();
  await seeder.close();
});

async function told(path: string) {
  const body = await problemIn(await fetch(`${url}${path}`));
  return [body.status, body.code, body.detail];
}

describe('before the first snapshot', () => {
  it('is not ready, and answers 503 with Retry-After', async () => {
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ checks: { statistics: { ok: false, detail: 'not ready' } } });
    const response = await fetch(`${url}/v1/jettons/${jetton}/stats`);
    expect(response.headers.get('retry-after')).toBe('2');
    expect((await problemIn(response)).code).toBe(14);
  });

  it('tells its status all the same', async () => {
    const status = ServiceStatus.parse(await (await fetch(`${url}/v1/status`)).json());
    expect(status).toEqual({ clock: 'unknown', inputs: [], windows: {}, jettons: 0, markets: 0 });
  });
});

describe('the public interface', () => {
  beforeAll(async () => {
    await seeder.input(
      { topic: 'trades', lagMessages: '0', lagSeconds: 1, state: 'live', partitions: [], gaps: [] },
      t + 25,
      (t + 29) * 1_000,
    );
    await seeder.term(1, 'wall');
    for (const [index, step] of steps.entries()) {
      const seed = { term: 1, step, calculatedAt: t - index, sequence: 1 };
      await seeder.snapshot({ ...seed, jettons: { [jetton]: 5 }, markets: { [`${jetton}|${pool}`]: 3 } });
    }
    await pollUntil(async () => (await fetch(`${url}/readyz`)).status === 200, { what: 'readiness' });
  }, 300_000);

  it('answers operation 6 as the contract says, with the age of its data', async () => {
    const response = await fetch(`${url}/v1/jettons/${jetton}/stats`, { headers: { 'X-Request-Id': 'mine-1' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-request-id')).toBe('mine-1');
    expect(response.headers.get('x-data-as-of')).toBe('2025-10-09T08:53:18Z');
    expect(response.headers.get('x-data-lag')).toBe('32');
    const body = JettonStatistics.parse(await response.json());
    expect(body.address).toBe(jetton);
    expect(body.transactionsBuy.hour).toMatchObject({ current: '5', calculatedAt: '2025-10-09T08:53:20Z' });
    expect(body.transactionsBuy.month.calculatedAt).toBe('2025-10-09T08:53:18Z');
  });

  it('answers operation 7 as the contract says', async () => {
    const response = await fetch(`${url}/v1/jettons/${jetton}/markets/${pool}/stats`);
    expect(response.status).toBe(200);
    expect(MarketStatistics.parse(await response.json()).transactions.week.current).toBe('3');
  });

  it('passes percent-encoded paths on as they came', async () => {
    expect((await fetch(`${url}/v1/jettons/${encodeURIComponent(jetton)}/stats`)).status).toBe(200);
  });

  it('answers HEAD with the header of GET and no body', async () => {
    const headers = { 'Accept-Encoding': 'identity' };
    const get = await fetch(`${url}/v1/jettons/${jetton}/stats`, { headers });
    const head = await fetch(`${url}/v1/jettons/${jetton}/stats`, { method: 'HEAD', headers });
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe('');
  });

  it('tells its status: clock, inputs, calculatedAt and snapshot per window, counts', async () => {
    const status = await pollUntil(
      async () => {
        const read = ServiceStatus.parse(await (await fetch(`${url}/v1/status`)).json());
        return read.inputs.length > 0 && read;
      },
      { what: 'the inputs' },
    );
    expect(status).toMatchObject({
      clock: 'wall',
      jettons: 1,
      markets: 1,
      inputs: [{ topic: 'trades', state: 'live' }],
    });
    expect(Object.keys(status.windows)).toEqual(['min15', 'hour', 'hour6', 'hour12', 'day', 'week', 'month']);
    expect(status.windows.week).toEqual({
      calculatedAt: '2025-10-09T08:53:18Z',
      snapshot: ((BigInt(t - 2) << 64n) | (1n << 32n) | 1n).toString(),
      inputPosition: '42',
    });
    expect(status.asOf).toBe('2025-10-09T08:53:45Z');
  });

  it('follows a new snapshot within moments', async () => {
    await seeder.snapshot({
      term: 1,
      step: 'short',
      calculatedAt: t + 2,
      sequence: 2,
      slot: 1,
      jettons: { [jetton]: 8 },
    });
    const body = await pollUntil(
      async () => {
        const read = JettonStatistics.parse(await (await fetch(`${url}/v1/jettons/${jetton}/stats`)).json());
        return read.transactionsBuy.hour.current === '8' && read;
      },
      { what: 'the new figures' },
    );
    expect(body.transactionsBuy.hour.calculatedAt).toBe('2025-10-09T08:53:22Z');
    expect(body.transactionsBuy.month.current).toBe('5');
  });

  it('400: names every malformed address and unknown parameter at once', async () => {
    const one = await problemIn(await fetch(`${url}/v1/jettons/nonsense/stats`));
    expect(one).toMatchObject({ status: 400, code: 3, details: [{ field: 'address', reason: 'MALFORMED_ADDRESS' }] });
    const many = await problemIn(await fetch(`${url}/v1/jettons/x/markets/0:ff/stats?currency=usd&_=1&curency=eur`));
    expect(many.details.map(({ field, reason }) => [field, reason])).toEqual([
      ['address', 'MALFORMED_ADDRESS'],
      ['poolAddress', 'MALFORMED_ADDRESS'],
      ['currency', 'UNKNOWN_FIELD'],
      ['curency', 'UNKNOWN_FIELD'],
    ]);
    expect((await problemIn(await fetch(`${url}/v1/jettons/${'x'.repeat(10_000)}/stats`))).status).toBe(400);
  });

  it('404: an unknown path, an unknown jetton, native, and a pool that is not a market of the jetton', async () => {
    expect(await told('/v1/nothing')).toEqual([404, 5, 'no such path']);
    // The router takes no line break in a parameter; a GET must not be told that GET is what the path supports.
    expect(await told('/v1/jettons/x/chart-previews/price%0D-day-c.svg')).toEqual([404, 5, 'no such path']);
    expect(await told(`/v1/jettons/${unknown}/stats`)).toEqual([404, 5, 'no such jetton']);
    expect(await told(`/v1/jettons/${native}/stats`)).toEqual([404, 5, 'no such jetton']);
    expect(await told(`/v1/jettons/${unknown}/markets/${pool}/stats`)).toEqual([404, 5, 'no such jetton']);
    const noMarket = [404, 5, 'the pool is not a market of this jetton'];
    expect(await told(`/v1/jettons/${jetton}/markets/${unknown}/stats`)).toEqual(noMarket);
  });

  it('405 with Allow, before anything is said of parameters or body', async () => {
    const response = await fetch(`${url}/v1/jettons/nonsense/stats?x=1`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/xml' },
      body: 'x'.repeat(100_000),
    });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect((await problemIn(response)).code).toBe(12);
  });

  it('404 before 413 and 415: no path here takes a body', async () => {
    const post = { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: 'x'.repeat(100_000) };
    expect((await problemIn(await fetch(`${url}/v1/nothing`, post))).status).toBe(404);
  });

  it('431: a header beyond the limit', async () => {
    const { port } = new URL(url);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`GET /v1/status HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(60_000)}\r\n\r\n`);
      });
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text)).on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(Problem.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).code).toBe(3);
  });

  it('does not let a client reach other paths of the app behind', async () => {
    for (const path of ['/v1/jettons/..%2F..%2Freadyz/stats', '/v1/jettons/%2e%2e/stats', '/v1/jettons//stats']) {
      expect([400, 404]).toContain((await problemIn(await fetch(`${url}${path}`))).status);
    }
  });
});
