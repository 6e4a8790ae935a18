import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { HttpApp } from '@jetton-analytics/service';
import { problemIn } from './problem-in.js';
import { startGateway } from './start-gateway.js';
import { stubApp } from './stub-app.js';

const jetton = `0:${'a1'.repeat(32)}`;
const apps: HttpApp[] = [];
const servers: Server[] = [];

async function gateway(env: Record<string, string>): Promise<string> {
  const app = await startGateway(env);
  apps.push(app);
  return (await app.listen()).url;
}

/** A server at the process boundary that answers as told. */
async function upstream(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return `http://127.0.0.1:${address.port}`;
}

afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('an app behind that fails', () => {
  it('503 with Retry-After while it is away, and no word of where it is', async () => {
    const lonely = await gateway({ STATISTICS_URL: 'http://127.0.0.1:1' });
    const response = await fetch(`${lonely}/v1/jettons/${jetton}/stats`);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await problemIn(response)).toMatchObject({ status: 503, code: 14 });
    expect((await fetch(`${lonely}/livez`)).status).toBe(200);
    expect(await (await fetch(`${lonely}/readyz`)).json()).toMatchObject({
      status: 'not ready',
      checks: { statistics: { ok: false, detail: 'away' } },
    });
  });

  it('504 when its answer does not come in time', async () => {
    const silent = await upstream(() => undefined);
    const slow = await gateway({ STATISTICS_URL: silent, UPSTREAM_TIMEOUT_MS: '100' });
    expect(await problemIn(await fetch(`${slow}/v1/status`))).toMatchObject({ status: 504, code: 4 });
  });

  it('503 when the answer stops in the middle, rather than pass half of it for whole', async () => {
    let asked = 0;
    const half = await upstream((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"half":');
      setImmediate(() => response.destroy());
    });
    const broken = await gateway({ STATISTICS_URL: half });
    expect(await problemIn(await fetch(`${broken}/v1/status`))).toMatchObject({ status: 503, code: 14 });
    expect(asked).toBe(2);
  });

  it('503 for a failure that something in between tells in its own words', async () => {
    const proxy = await upstream((_request, response) => {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway at host-7</h1>');
    });
    const behind = await gateway({ STATISTICS_URL: proxy });
    expect((await problemIn(await fetch(`${behind}/v1/status`))).detail).not.toContain('host-7');
  });

  it('passes on whole, plain and compressed, what comes in many pieces', async () => {
    const pieces = Array.from({ length: 50 }, (_, index) =>
      Buffer.alloc(10_000, String.fromCharCode(97 + (index % 26))),
    );
    const long = await upstream((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ETag: '"long"' });
      void (async () => {
        for (const piece of pieces) await new Promise((sent) => response.write(piece, sent));
        response.end();
      })();
    });
    const url = `${await gateway({ STATISTICS_URL: long })}/v1/status`;
    for (const encoding of ['identity', 'gzip', 'zstd']) {
      const answer = await fetch(url, { headers: { 'Accept-Encoding': encoding } });
      expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.concat(pieces))).toBe(true);
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    }
  });

  it('passes no header but its own inwards, no inner one outwards, and asks again when a kept connection was closed', async () => {
    const seen: unknown[] = [];
    const echo = await upstream((request, response) => {
      seen.push(request.headers);
      if (seen.length === 2) {
        request.socket.destroy();
        return;
      }
      response.writeHead(200, {
        'Content-Type': 'application/json',
        Server: 'inner',
        'X-Inner': '1',
        'Set-Cookie': 'a=b',
      });
      response.end('{}');
    });
    const front = await gateway({ STATISTICS_URL: echo });
    const headers = { Cookie: 'c=1', 'X-Custom': '1', 'X-Request-Id': 'id-1' };
    const response = await fetch(`${front}/v1/status`, { headers });
    expect(Object.fromEntries(response.headers)).not.toMatchObject({ 'x-inner': '1' });
    expect([response.headers.get('set-cookie'), response.headers.get('server')]).toEqual([null, null]);
    expect(seen[0]).toEqual({ 'x-request-id': 'id-1', host: new URL(echo).host, connection: 'keep-alive' });
    expect((await fetch(`${front}/v1/status`)).status).toBe(200);
    expect(seen).toHaveLength(3);
  });
});

describe('an app behind whose large answer has not changed', () => {
  it('is asked each time, with the tag of the body that is here, and sends no body again', async () => {
    const list = JSON.stringify({ items: Array.from({ length: 2_000 }, (_, n) => `item ${n}`) });
    const app = await stubApp(list);
    try {
      // Nothing is kept unasked: who asks is told how things stand now.
      const { body, status } = await twice(app.url);
      expect([status, body]).toEqual([200, list]);
      const [first, second] = app.requests.map(({ headers }) => headers['if-none-match']);
      expect(first).toBeUndefined();
      expect(second).toMatch(/^"[\w-]{22}"$/);
      app.body = list.replace('item 7', 'another 7');
      expect((await twice(app.url)).body).toBe(app.body);
    } finally {
      app.close();
    }
  });
});

async function twice(statisticsUrl: string): Promise<{ status: number; body: string }> {
  const url = `${await gateway({ STATISTICS_URL: statisticsUrl, ANSWER_CACHE_MIB: '0' })}/v1/jettons/${jetton}/stats`;
  await (await fetch(url)).text();
  const response = await fetch(url);
  return { status: response.status, body: await response.text() };
}
