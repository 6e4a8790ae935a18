import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations, Ping, Problem } from '@jetton-analytics/common';
import type { HttpApp } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { problemIn } from './problem-in.js';
import { startGateway } from './start-gateway.js';
import { type StubApp, stubApp } from './stub-app.js';

const body = JSON.stringify({ items: Array.from({ length: 200 }, (_, index) => ({ index, name: 'jetton' })) });
const json = { 'Content-Type': 'application/json' };
const free = '/v1/jettons/trading-volume/change';
let stub: StubApp;
let app: HttpApp;
let url: string;

beforeAll(async () => {
  stub = await stubApp(body);
  app = await startGateway({ STATISTICS_URL: stub.url, METRICS_URL: stub.url });
  ({ url } = await app.listen());
}, 300_000);
afterAll(async () => {
  await app.close();
  stub.close();
});

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An exchange without anything that fetch does by itself. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

const undated = ({ date: _date, ...rest }: IncomingHttpHeaders) => rest;

describe('compression', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ])('%s gives the same bytes, with a tag of its own', async (encoding, decompress) => {
    const plain = await ask('/v1/status');
    const answer = await ask('/v1/status', { 'Accept-Encoding': encoding });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    expect(decompress(answer.body).toString()).toBe(body);
    expect(plain.body.toString()).toBe(body);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(answer.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `.${encoding}"`));
    expect(answer.headers.vary).toBe('Accept-Encoding, Authorization, X-API-Key, Origin');
  });

  it('leaves bodies below 1 KiB as they are', async () => {
    stub.body = JSON.stringify('x'.repeat(1_021));
    const answer = await ask('/v1/status', { 'Accept-Encoding': 'gzip' });
    expect([answer.headers['content-encoding'], answer.body.length]).toEqual([undefined, 1_023]);
    stub.body = body;
  });

  it('sends the same header to HEAD, and nothing else', async () => {
    for (const encoding of ['identity', 'gzip', 'zstd']) {
      const headers = { 'Accept-Encoding': encoding, 'X-Request-Id': 'same' };
      const [get, head] = [await ask('/v1/status', headers), await ask('/v1/status', headers, 'HEAD')];
      expect(undated(head.headers)).toEqual(undated(get.headers));
      expect([head.status, head.body.length]).toEqual([200, 0]);
    }
  });
});

describe('conditional requests', () => {
  it('answer 304 to whoever has the body in any encoding, with the tag as it has it', async () => {
    const plain = (await ask('/v1/status')).headers.etag ?? '';
    for (const tag of [plain, plain.replace(/"$/, '.br"'), plain.replace(/"$/, '.gzip"')]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(
          '/v1/status',
          { 'If-None-Match': `"other", ${tag}`, 'Accept-Encoding': 'zstd' },
          method,
        );
        expect([answer.status, answer.body.length]).toEqual([304, 0]);
        expect(answer.headers).toMatchObject({
          etag: tag,
          'cache-control': 'public, max-age=1',
          vary: 'Accept-Encoding, Authorization, X-API-Key, Origin',
          'x-data-as-of': '2025-10-09T08:53:18Z',
          'x-data-lag': '3',
        });
      }
    }
    expect((await ask('/v1/status', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('are not made of POST, whose answers have no tag and are not kept', async () => {
    const response = await fetch(`${url}${free}`, {
      method: 'POST',
      headers: { ...json, 'If-None-Match': '*' },
      body: '{"address":[]}',
    });
    expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(stub.requests.at(-1)).toMatchObject({ method: 'POST', url: free, body: '{"address":[]}' });
    expect(stub.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
  });
});

describe('browsers', () => {
  it('of any origin may read answers and errors, with the headers that matter, without credentials', async () => {
    for (const path of ['/v1/status', '/v1/nothing', '/livez']) {
      const { headers } = await ask(path, { Origin: 'https://app.example' });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      for (const name of ['ETag', 'X-Request-Id', 'RateLimit', 'X-RateLimit-Remaining', 'Retry-After']) {
        expect(headers['access-control-expose-headers']).toContain(name);
      }
    }
  });

  it('may ask before they send: what a path supports, without a credential', async () => {
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    const answer = await ask('/v1/jettons/stats', preflight, 'OPTIONS');
    expect([answer.status, answer.body.length]).toEqual([204, 0]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': expect.stringContaining('X-API-Key'),
    });
    expect((await ask('/v1/status', preflight, 'OPTIONS')).headers['access-control-allow-methods']).toBe('GET, HEAD');
    expect((await ask('/v1/nothing', preflight, 'OPTIONS')).status).toBe(404);
  });

  it('are told to take nothing for what it is not', async () => {
    for (const path of ['/v1/status', '/v1/nothing']) {
      expect((await ask(path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'strict-transport-security': expect.stringContaining('max-age='),
      });
    }
  });
});

describe('methods', () => {
  it('405 with Allow for every method that a path does not have, also those that only few know', async () => {
    const paths = new Map<string, Set<string>>();
    for (const { path, method } of operations) {
      const allow = paths.get(path) ?? new Set();
      for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) allow.add(one);
      paths.set(path, allow);
    }
    for (const [path, own] of paths) {
      const target = path.replace('{metric}-{period}-{color}', 'price-day-dark').replaceAll(/\{\w+\}/g, 'x');
      for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY', 'PROPFIND', 'OPTIONS', 'BREW', 'POST', 'GET']) {
        if (own.has(method)) continue;
        const answer = await raw(
          `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        );
        expect([path, method, answer.slice(0, 13)]).toEqual([path, method, 'HTTP/1.1 405 ']);
        const allow = /^allow: (.*)\r$/im.exec(answer)?.[1]?.split(', ') ?? [];
        for (const one of own) expect(allow).toContain(one);
        expect(Problem.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).code).toBe(12);
      }
    }
  });

  it('does not take a preview of another form for one', async () => {
    expect((await ask('/v1/jettons/x/chart-previews/price-month-dark.svg')).status).toBe(200);
    for (const name of ['price.svg', 'price-month-dark.png', 'price-month-dark']) {
      expect((await ask(`/v1/jettons/x/chart-previews/${name}`)).status).toBe(404);
    }
  });
});

describe('bodies', () => {
  it('413 and 415 in the one form, and the connection is not used again', async () => {
    const post = (headers: Record<string, string>, text: string) =>
      fetch(`${url}${free}`, { method: 'POST', headers, body: text });
    expect(await problemIn(await post(json, 'x'.repeat(64 * 1024 + 1)))).toMatchObject({ status: 413, code: 3 });
    expect(await problemIn(await post({ 'Content-Type': 'text/plain' }, '{}'))).toMatchObject({ status: 415, code: 3 });
    expect(await problemIn(await post({ ...json, 'Content-Encoding': 'gzip' }, '{}'))).toMatchObject({ status: 415 });
    expect(await problemIn(await fetch(`${url}${free}`, { method: 'POST' }))).toMatchObject({ status: 415 });
    expect((await post(json, `"${'x'.repeat(64 * 1024 - 2)}"`)).status).toBe(200);
  });

  it('passes 16 KiB of query on', async () => {
    const query = `?address=${'x'.repeat(16 * 1024)}`;
    expect((await ask(`/v1/jettons${query}`, { 'X-Filler': 'x'.repeat(16 * 1024) })).status).toBe(200);
    expect(stub.requests.at(-1)?.url).toBe(`/v1/jettons${query}`);
  });

  it('takes a request target in the form of a whole URL', async () => {
    const answer = await raw('GET http://api.example/v1/status?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(stub.requests.at(-1)?.url).toBe('/v1/status?x=1');
  });
});

describe('ping', () => {
  it('answers pong and the time, and takes no parameter', async () => {
    const response = await fetch(`${url}/v1/system/ping`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(Ping.parse(await response.json()).message).toBe('pong');
    const refused = await problemIn(await fetch(`${url}/v1/system/ping?x=1`));
    expect(refused).toMatchObject({ status: 400, details: [{ field: 'x', reason: 'UNKNOWN_FIELD' }] });
  });
});

describe('stopping', () => {
  it('finishes what is under way, then lets go', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    const slow = createServer((_request, response) => arrived.resolve(response)).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo; // a TCP server that listens has one
    const other = await startGateway({ STATISTICS_URL: `http://127.0.0.1:${port}` });
    const { url: base } = await other.listen();
    const answer = fetch(`${base}/v1/status`).then((response) => response.text());
    const response = await arrived.promise;
    const closed = other.close();
    await pollUntil(
      () =>
        fetch(`${base}/livez`).then(
          () => false,
          () => true,
        ),
      { what: 'the end of listening' },
    );
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"late":1}');
    expect(await answer).toBe('{"late":1}');
    await closed;
    slow.close();
  });
});

/** What the gateway answers to these bytes, until it closes. */
function raw(bytes: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}
