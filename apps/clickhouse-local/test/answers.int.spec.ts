import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from './poll.js';
import { newFolder, removeFolder, type ServerProcess, startServer } from './server-process.js';

const MEBIBYTE = 1024 * 1024;
const LARGE_BYTES = 1_900_000;

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = newFolder();
  server = await startServer(folder, {
    CLICKHOUSE_LOCAL_READ_SESSIONS: '1',
    CLICKHOUSE_LOCAL_USER: 'jetton',
    CLICKHOUSE_LOCAL_PASSWORD: 'pass:word',
    CLICKHOUSE_LOCAL_BODY_BYTES_MAX: String(2 * MEBIBYTE),
    CLICKHOUSE_LOCAL_BUFFERED_BYTES_MAX: String(3 * MEBIBYTE),
    CLICKHOUSE_LOCAL_RESULT_BYTES_MAX: String(4 * MEBIBYTE),
    CLICKHOUSE_LOCAL_STATEMENT_MEMORY_BYTES_MAX: String(64 * MEBIBYTE),
  });
}, 180_000);
afterAll(async () => {
  await server?.end('SIGTERM');
  removeFolder(folder);
});

interface Answer {
  status: number;
  code: string | null;
  body: string;
  headers: Headers;
}

async function ask(sql: string, params: Record<string, string> = {}, init: RequestInit = {}): Promise<Answer> {
  const search = new URLSearchParams({ user: 'jetton', password: 'pass:word', ...params });
  const response = await fetch(`${server.url}/?${search.toString()}`, { method: 'POST', body: sql, ...init });
  const { status, headers } = response;
  return { status, code: headers.get('x-clickhouse-exception-code'), body: await response.text(), headers };
}

const get = async (headers: Record<string, string>, search = '') => {
  const response = await fetch(`${server.url}/?query=SELECT+1${search}`, { headers });
  return { status: response.status, code: response.headers.get('x-clickhouse-exception-code') };
};
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describe('errors', () => {
  it.each([
    [400, '62', 'SELECT FROM WHERE', {}],
    [400, '62', '', {}],
    [400, '62', 'SELECT 1; SELECT 2', {}],
    [400, '6', "SELECT toUInt8('x')", {}],
    [400, '457', 'SELECT {x:UInt8}', { param_x: 'many' }],
    [400, '456', 'SELECT {x:UInt8}', {}],
    [400, '36', 'SELECT 1', { 'param_a b': '1' }],
    [404, '46', 'SELECT nope(1)', {}],
    [404, '47', 'SELECT nope', {}],
    [404, '60', 'SELECT * FROM nope', {}],
    [404, '60', 'INSERT INTO nope FORMAT JSONEachRow\n{"a":1}', {}],
    [404, '73', 'SELECT 1 FORMAT Nope', {}],
    [404, '81', 'SELECT 1', { database: 'nope' }],
    [404, '115', 'SELECT 1', { nope: '1' }],
    [404, '115', 'SELECT 1', { 'no pe; DROP': '1' }],
    [501, '48', 'SELECT 1', { session_id: 's' }],
    [501, '48', 'SELECT 1', { decompress: '1' }],
    [500, '395', "SELECT throwIf(1, 'thrown')", {}],
    [500, '241', 'SELECT groupArray(number) FROM numbers(100000000) FORMAT Null', {}],
    [500, '396', 'SELECT number FROM numbers(10000000)', {}],
  ] as const)('answers %i with code %s to %j %j', async (status, code, sql, params) => {
    const answer = await ask(sql, params);
    expect({ status: answer.status, code: answer.code }).toEqual({ status, code });
    expect(answer.body).toMatch(
      new RegExp(`^Code: ${code}\\. DB::Exception: [^]*\\([A-Z_]+\\) \\(version 26\\.[0-9.]+\\)\\n$`),
    );
  });

  it('gives the ordinary client the code, the name and the text', async () => {
    const client = server.client({ username: 'jetton', password: 'pass:word' });
    await expect(client.command({ query: 'DROP TABLE nope' })).rejects.toMatchObject({
      code: '60',
      type: 'UNKNOWN_TABLE',
      message: expect.stringContaining('default.nope'),
    });
  });

  it('refuses a body that is too large, also one that is small only while compressed, and serves on', async () => {
    const large = `SELECT '${'x'.repeat(3 * MEBIBYTE)}'`;
    expect(await ask(large)).toMatchObject({ status: 413, code: '307' });
    const packed = { body: new Uint8Array(gzipSync(large)), headers: { 'Content-Encoding': 'gzip' } };
    expect(await ask('', {}, packed)).toMatchObject({ status: 413, code: '307' });
    expect(await ask('SELECT 1')).toMatchObject({ status: 200, body: '1\n' });
  });

  it('holds no more bytes of bodies at once than it may, and takes more once some are given back', async () => {
    const large = `SELECT sleep(1), length('${'x'.repeat(LARGE_BYTES)}')`;
    const both = await Promise.all([ask(large), ask(large)]);
    const [first, second] = both.sort((a, b) => a.status - b.status);
    expect(first).toMatchObject({ status: 200, body: `0\t${LARGE_BYTES}\n` });
    expect(second).toMatchObject({ status: 503, code: '202' });
    expect(second?.headers.get('retry-after')).toBe('1');
    expect(await ask(large)).toMatchObject({ status: 200 });
  });

  it('refuses a body it cannot decompress, or by an unknown method', async () => {
    const asGzip = { body: 'SELECT 1', headers: { 'Content-Encoding': 'gzip' } };
    expect(await ask('', {}, asGzip)).toMatchObject({ code: '271' });
    const asLz4 = { body: 'SELECT 1', headers: { 'Content-Encoding': 'lz4' } };
    expect(await ask('', {}, asLz4)).toMatchObject({ code: '89' });
  });

  it('lets nothing be written by GET', async () => {
    const search = new URLSearchParams({
      user: 'jetton',
      password: 'pass:word',
      query: 'CREATE TABLE g (a UInt8) ENGINE = Log',
    });
    const response = await fetch(`${server.url}/?${search.toString()}`);
    expect(response.status).toBe(500);
    expect(response.headers.get('x-clickhouse-exception-code')).toBe('164');
  });
});

describe('answers', () => {
  it('carry the headers of a ClickHouse server', async () => {
    const { headers } = await ask('SELECT number FROM numbers(3) FORMAT JSONEachRow', { query_id: 'q-1' });
    expect(headers.get('x-clickhouse-query-id')).toBe('q-1');
    expect(headers.get('x-clickhouse-format')).toBe('JSONEachRow');
    expect(headers.get('x-clickhouse-timezone')).toBe('UTC');
    expect(headers.get('content-type')).toContain('ndjson');
    expect(JSON.parse(headers.get('x-clickhouse-summary') ?? '')).toMatchObject({ read_rows: '3' });
  });

  it.each([
    ['is too large', '396', 'SELECT number FROM numbers(10000000)'],
    [
      'takes too long',
      '159',
      'SELECT sleepEachRow(0.3) FROM numbers(100) SETTINGS max_execution_time = 1, max_block_size = 1',
    ],
    [
      'throws on its way',
      '395',
      'SELECT throwIf(number = 200000) FROM numbers(1000000) SETTINGS max_block_size = 1000',
    ],
  ])('never begin with a part of an earlier answer that %s', async (_, code, sql) => {
    expect((await ask(sql)).code).toBe(code);
    expect((await ask('SELECT 1')).body).toBe('1\n');
    const { body } = await ask('SELECT count() FROM system.one');
    expect(body).toBe('1\n');
  });

  it('are in the default format that is asked for, else in TabSeparated', async () => {
    expect((await ask('SELECT 1 AS a', { default_format: 'JSONEachRow' })).body).toBe('{"a":1}\n');
    expect((await ask('SELECT 1 AS a')).body).toBe('1\n');
  });

  it('join a statement that begins in the URL and goes on in the body', async () => {
    expect((await ask('number FROM numbers(2)', { query: 'SELECT' })).body).toBe('0\n1\n');
  });
});

describe('merged parts', () => {
  it('are looked for every few seconds and removed: each holds memory until then', async () => {
    const settings = await ask(
      "SELECT name, value FROM system.merge_tree_settings WHERE name LIKE '%cleanup_delay%' ORDER BY name",
    );
    expect(settings.body).toBe(
      'cleanup_delay_period\t5\ncleanup_delay_period_random_add\t0\nmax_cleanup_delay_period\t10\n',
    );
    await ask('CREATE TABLE default.merged (n UInt64) ENGINE = MergeTree ORDER BY n');
    for (const n of [1, 2, 3]) await ask(`INSERT INTO default.merged VALUES (${n})`);
    await ask('OPTIMIZE TABLE default.merged FINAL');
    const parts = () => ask("SELECT countIf(active), countIf(NOT active) FROM system.parts WHERE table = 'merged'");
    await until(parts, ({ body }) => body === '1\t0\n', 120_000);
    expect((await ask('SELECT count() FROM default.merged')).body).toBe('3\n');
  }, 180_000);
});

describe('authentication', () => {
  it('lets in by Basic authorization, by headers and by parameters', async () => {
    const ok = { status: 200, code: null };
    expect(await get(basic('jetton:pass:word'))).toEqual(ok);
    expect(await get({ 'X-ClickHouse-User': 'jetton', 'X-ClickHouse-Key': 'pass:word' })).toEqual(ok);
    expect(await get({}, '&user=jetton&password=pass%3Aword')).toEqual(ok);
  });

  it('answers 403 with code 516 to everybody else', async () => {
    const no = { status: 403, code: '516' };
    expect(await get({})).toEqual(no);
    expect(await get(basic('jetton:word'))).toEqual(no);
    expect(await get(basic('other:pass:word'))).toEqual(no);
    expect(await get({ Authorization: 'Bearer x' })).toEqual(no);
  });

  it('serves no web page, whatever it knows', async () => {
    const headers = { ...basic('jetton:pass:word'), origin: 'https://example.org' };
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${server.url}/?query=SELECT+1`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect(status).toBe(403);
  });
});
