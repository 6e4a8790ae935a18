import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Problem } from '@jetton-analytics/common';
import { Controller, Get, Inject, Module, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Clock } from './clock.js';
import { DomainError, invalidArgument } from './domain-error.js';
import { createHttpApp, type HttpApp } from './http-app.js';
import { loadSettings } from './load-settings.js';
import { createLogger } from './logging.js';
import { sendBytes } from './send-bytes.js';
import { SETTINGS } from './service.module.js';
import { serviceSettings } from './settings.js';

const Env = z.object({ ...serviceSettings, GREETING: z.string().default('hello') });

@Controller('v1')
class ThingsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: z.output<typeof Env>,
    private readonly clock: Clock,
  ) {}

  @Get('things/:id/parts')
  parts(@Param('id') id: string): Buffer {
    if (id === 'gone') throw new DomainError('unavailable', 'away', { retryAfterSeconds: 7 });
    if (id === 'broken') throw new Error('password of db-1 is wrong');
    if (id === 'bad') throw invalidArgument([{ field: 'id', reason: 'MALFORMED', message: 'must be good' }]);
    return Buffer.from(JSON.stringify({ id, greeting: this.settings.GREETING, now: this.clock.now() }));
  }

  @Get('bytes')
  bytes(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendBytes(request, reply, { body: Buffer.from('{"a":1}'), asOf: 1_699_999_990 }, this.clock.now());
  }

  @Post('things')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const body = request.body as Buffer; // as takeJsonBodies promises
    sendBytes(request, reply, { body, asOf: undefined }, this.clock.now());
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const lines: string[] = [];
let app: HttpApp;
let url: string;
let metricsUrl: string;

beforeAll(async () => {
  app = await createHttpApp(ThingsModule, {
    name: 'things',
    settings: loadSettings(Env, {}),
    clock: { now: () => 1_700_000_000_000 },
    logger: createLogger({
      name: 'things',
      level: 'info',
      format: 'json',
      destination: { write: (line) => void lines.push(line) },
    }),
    accessLogLevel: 'info',
  });
  ({ url, metricsUrl } = await app.listen());
});
afterAll(() => app.close());

async function problem(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = Problem.parse(await response.json());
  expect(body.requestId).toBe(response.headers.get('x-request-id'));
  expect(body.status).toBe(response.status);
  return body;
}

const post = (type: string, body: string) =>
  fetch(`${url}/v1/things`, { method: 'POST', headers: { 'Content-Type': type }, body });

/** What the server answers to raw bytes, until it closes the connection. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('an HTTP app', () => {
  it('injects settings and the clock, and answers GET and HEAD', async () => {
    const response = await fetch(`${url}/v1/things/1/parts`);
    expect(await response.json()).toEqual({ id: '1', greeting: 'hello', now: 1_700_000_000_000 });
    const head = await fetch(`${url}/v1/things/1/parts`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'));
  });

  it('echoes a sane X-Request-Id and replaces any other', async () => {
    const echoed = await fetch(`${url}/livez`, { headers: { 'X-Request-Id': 'trace-1.a:b' } });
    expect(echoed.headers.get('x-request-id')).toBe('trace-1.a:b');
    for (const bad of ['a b', '<x>', 'x'.repeat(129), '{"a":1}']) {
      const made = await fetch(`${url}/livez`, { headers: { 'X-Request-Id': bad } });
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('answers 404 for an unknown path, whatever its method and body are', async () => {
    expect(await problem(await fetch(`${url}/v2/x?key=secret`))).toMatchObject({ code: 5, instance: '/v2/x' });
    const posted = await fetch(`${url}/nowhere`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/xml' },
      body: '<a/>',
    });
    expect((await problem(posted)).status).toBe(404);
    expect((await problem(await fetch(`${url}/v1/things//parts`))).status).toBe(404);
  });

  it('answers 405 with Allow for a known path with another method, before it looks at the body', async () => {
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const response = await fetch(`${url}/v1/things/1/parts`, { method });
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect((await problem(response)).code).toBe(12);
    }
    expect((await fetch(`${url}/v1/things`)).headers.get('allow')).toBe('POST');
  });

  it('answers 415 and 413 for a body of a wrong type, compressed, untyped or too large', async () => {
    expect((await problem(await post('text/plain', 'x'))).status).toBe(415);
    expect((await problem(await fetch(`${url}/v1/things`, { method: 'POST' }))).status).toBe(415);
    expect((await problem(await post('application/json', `"${'x'.repeat(64 * 1024)}"`))).status).toBe(413);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect((await problem(await fetch(`${url}/v1/things`, { method: 'POST', headers, body: 'x' }))).status).toBe(415);
  });

  it('gives a handler the bytes of a JSON body as they came, up to 64 KiB, and answers 200 without an ETag', async () => {
    for (const body of ['', '{"a":', `"${'x'.repeat(64 * 1024 - 2)}"`]) {
      const response = await post('application/json; charset=utf-8', body);
      expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
      expect(await response.text()).toBe(body);
    }
  });

  it('answers bytes with a strong ETag and the age of the data, and 304 to whoever has them', async () => {
    const response = await fetch(`${url}/v1/bytes`);
    expect(response.headers.get('x-data-as-of')).toBe('2023-11-14T22:13:10Z');
    expect(response.headers.get('x-data-lag')).toBe('10');
    expect(await response.text()).toBe('{"a":1}');
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const method of ['GET', 'HEAD']) {
      const again = await fetch(`${url}/v1/bytes`, { method, headers: { 'If-None-Match': `"x", ${etag}` } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
      expect(again.headers.get('x-data-as-of')).toBe('2023-11-14T22:13:10Z');
    }
    expect((await fetch(`${url}/v1/bytes`, { headers: { 'If-None-Match': '"x"' } })).status).toBe(200);
  });

  it('answers 400 for a path that is not validly encoded', async () => {
    const body = await problem(await fetch(`${url}/v1/things/%zz/parts`));
    expect(body).toMatchObject({ status: 400, detail: 'path: is not validly percent-encoded' });
  });

  it('takes 16 KiB of URL with 16 KiB of headers, and answers 431 beyond its limit', async () => {
    const long = 'x'.repeat(16 * 1024);
    expect((await fetch(`${url}/v1/things/${long}/parts`, { headers: { 'X-Long': long } })).status).toBe(200);
    const answer = await exchange(`GET /livez?${'x'.repeat(60 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    const [head = '', text = ''] = answer.split('\r\n\r\n');
    expect(Problem.parse(JSON.parse(text))).toMatchObject({ status: 431, code: 3 });
    expect(head).toMatch(/Content-Type: application\/problem\+json/);
  });

  it('answers the error body to bytes that are no HTTP', async () => {
    const answer = await exchange('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(Problem.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).code).toBe(3);
  });

  it('answers 405 or 404 to methods that only the parser knows, that it does not know, and to CONNECT', async () => {
    for (const method of ['TRACE', 'QUERY', 'FOO', 'M-SEARCH', 'BREW']) {
      const answer = await exchange(
        `${method} /v1/things/1/parts?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(/^Allow: GET, HEAD\r$/im);
      const body = Problem.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''));
      expect(body).toMatchObject({ code: 12, instance: '/v1/things/1/parts' });
      expect(await exchange(`${method} /no HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/ 404 /);
    }
    expect(await exchange('CONNECT /v1/things/1/parts HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/ 405 /);
    expect(await exchange('CONNECT db:5432 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/ 404 /);
  });

  it('answers a request that expects what nobody knows', async () => {
    const answer = await exchange('GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('maps domain errors with their headers and violations', async () => {
    const gone = await fetch(`${url}/v1/things/gone/parts`);
    expect(gone.headers.get('retry-after')).toBe('7');
    expect((await problem(gone)).code).toBe(14);
    expect((await problem(await fetch(`${url}/v1/things/bad/parts`))).details).toMatchObject([{ field: 'id' }]);
  });

  it('tells a client nothing of an internal error, and the log everything', async () => {
    const body = await problem(await fetch(`${url}/v1/things/broken/parts`));
    expect(JSON.stringify(body)).not.toMatch(/password|db-1|Error:|at /);
    expect(body.code).toBe(13);
    const logged = lines.find((line) => line.includes('password of db-1'));
    expect(logged).toContain(body.requestId);
    expect(logged).toContain('stack');
  });

  it('logs one line per request with its route and without its query', async () => {
    await fetch(`${url}/v1/things/1/parts?api_key=secret`, { headers: { 'X-Request-Id': 'log-me' } });
    const logged = lines.filter((line) => line.includes('log-me')).map((line) => JSON.parse(line) as object);
    expect(logged).toMatchObject([{ app: 'things', method: 'GET', route: '/v1/things/:id/parts', status: 200 }]);
    expect(lines.join('')).not.toContain('api_key');
  });

  it('serves metrics on a port of their own only, by route pattern', async () => {
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/v1/things/:id/parts",status="200"}',
    );
    expect(text).toContain('process_cpu_seconds_total');
    expect((await fetch(`${metricsUrl}/v1/things/1/parts`)).status).toBe(404);
  });

  it('answers /readyz 503 with the state of each check until all are well', async () => {
    let ok = false;
    app.health.addReadiness('store', () => ({ ok }));
    const response = await fetch(`${url}/readyz`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toEqual({ status: 'not ready', checks: { store: { ok: false } } });
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    ok = true;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

describe('the logger', () => {
  it('redacts credentials wherever headers are logged', () => {
    const written: string[] = [];
    const destination = { write: (line: string) => void written.push(line) };
    const logger = createLogger({ name: 'x', level: 'info', format: 'json', destination });
    const headers = { authorization: 'Bearer k', 'x-api-key': 'k2', cookie: 'k3', accept: 'a' };
    logger.info({ headers, request: { headers }, ...headers }, 'm');
    expect(written.join('')).not.toMatch(/Bearer k|k2|k3/);
    expect(written.join('')).toContain('"accept":"a"');
  });
});
