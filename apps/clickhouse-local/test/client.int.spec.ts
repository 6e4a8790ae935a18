import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClickHouseClient, TupleParam } from '@clickhouse/client';
import { newFolder, removeFolder, type ServerProcess, startServer } from './server-process.js';

const QUOTED = { output_format_json_quote_64bit_integers: 1, output_format_json_quote_decimals: 1 } as const;
const HOSTILE = [
  `it's`,
  `\\`,
  `\\'; DROP TABLE t; --`,
  `a\nb\tc\r\0d`,
  `{x:String} {{y}} $$z$$`,
  `/* c */ -- d`,
  '\u{1f4a5} \u00e9 \u202e \ufeff',
  '`"`',
  `\\N`,
  `NULL`,
  '',
  ' ',
  '%00%27',
  'x'.repeat(10_000),
];

let folder: string;
let server: ServerProcess;
let client: ClickHouseClient;

const rows = async (query: string, params: Record<string, unknown> = {}, more: object = {}) => {
  const result = await client.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    clickhouse_settings: QUOTED,
    ...more,
  });
  return result.json<Record<string, unknown>>();
};

beforeAll(async () => {
  folder = newFolder();
  server = await startServer(folder);
  client = server.client();
}, 180_000);
afterAll(async () => {
  await server?.end('SIGTERM');
  removeFolder(folder);
});

describe('the ordinary client', () => {
  it('pings, with and without a query', async () => {
    expect(await client.ping()).toEqual({ success: true });
    expect(await client.ping({ select: true })).toEqual({ success: true });
  });

  it('reads back every wide type to the last digit', async () => {
    await client.command({
      query: `CREATE TABLE wide (id UInt8, u UInt256, i Int128, d Decimal(76,18), t DateTime, t3 DateTime64(3),
        a Array(String), n Nullable(UInt64), m Map(String, UInt64), f FixedString(4)) ENGINE = MergeTree ORDER BY id`,
    });
    const row = {
      id: 1,
      u: (2n ** 256n - 1n).toString(),
      i: (-(2n ** 127n)).toString(),
      d: '-1234567890123456789012345678901234567890123456789012345678.123456789012345678',
      t: '2026-11-21 10:20:30',
      t3: '2026-11-21 10:20:30.456',
      a: HOSTILE,
      n: null,
      m: { 'k\\\'"': '18446744073709551615' },
      f: '0:ab',
    };
    const { summary } = await client.insert({ table: 'wide', values: [row], format: 'JSONEachRow' });
    expect(summary?.written_rows).toBe('1');
    expect(await rows('SELECT * FROM wide')).toEqual([row]);
  });

  it.each([
    ['in the URL', {}],
    ['as multipart parts', { use_multipart_params: true }],
  ])('binds hostile strings %s exactly as they are', async (_, how) => {
    for (const text of HOSTILE)
      expect(await rows('SELECT {x:String} AS x, {xs:Array(String)} AS xs', { x: text, xs: [text, 'b'] }, how)).toEqual(
        [{ x: text, xs: [text, 'b'] }],
      );
  });

  it.each([
    ['in the URL', {}],
    ['as multipart parts', { use_multipart_params: true }],
  ])('binds every kind of value %s', async (_, how) => {
    const query = `SELECT {u:UInt256} AS u, {d:Decimal(76,18)} AS d, {t:DateTime} AS t, {t3:DateTime64(3)} AS t3,
      {n:Nullable(String)} AS n, {b:Bool} AS b, {m:Map(String, UInt8)} AS m, {p:Tuple(UInt8, String)} AS p,
      {e:Array(UInt64)} AS e`;
    const params = {
      u: 2n ** 255n,
      d: '0.000000000000000001',
      t: new Date('2026-11-21T10:20:30Z'),
      t3: new Date('2026-11-21T10:20:30.456Z'),
      n: null,
      b: true,
      m: { "a'b": 1 },
      p: new TupleParam([7, "q'\\"]),
      e: [],
    };
    expect(await rows(query, params, how)).toEqual([
      {
        u: (2n ** 255n).toString(),
        d: '0.000000000000000001',
        t: '2026-11-21 10:20:30',
        t3: '2026-11-21 10:20:30.456',
        n: null,
        b: true,
        m: { "a'b": 1 },
        p: [7, "q'\\"],
        e: [],
      },
    ]);
  });

  it('takes parameters larger than a URL may be, when they come as parts', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `0:${index.toString(16).padStart(64, '0')}`);
    const found = await rows(
      'SELECT length({a:Array(String)}) AS n, {a:Array(String)}[5000] AS last',
      { a: many },
      {
        use_multipart_params_auto: true,
      },
    );
    expect(found).toEqual([{ n: '5000', last: many.at(-1) }]);
  });

  it('never takes a parameter from an earlier query', async () => {
    for (let round = 0; round < 8; round += 1) await rows('SELECT {left:String} AS x', { left: 'behind' });
    await expect(rows('SELECT {left:String} AS x')).rejects.toMatchObject({
      code: '456',
      type: 'UNKNOWN_QUERY_PARAMETER',
    });
  });

  it('never carries a setting, a database or a session statement over to the next query', async () => {
    const probe = `SELECT getSetting('max_block_size') AS s, currentDatabase() AS d, getSetting('readonly') AS r`;
    const before = await rows(probe);
    const other = server.client({ database: 'other' });
    await client.command({ query: 'CREATE DATABASE IF NOT EXISTS other' });
    for (let round = 0; round < 8; round += 1) {
      expect(await rows(probe, {}, { clickhouse_settings: { max_block_size: '77' } })).not.toEqual(before);
      expect(await rows(probe, {}, { clickhouse_settings: { readonly: '1' } })).not.toEqual(before);
      expect(await (await other.query({ query: probe, format: 'JSONEachRow' })).json()).not.toEqual(before);
      await client.command({ query: 'SET max_block_size = 78', http_headers: { 'X-ClickHouse-Local-Lane': 'read' } });
      await client.command({ query: 'USE other', http_headers: { 'X-ClickHouse-Local-Lane': 'read' } });
      await expect(rows('SELECT x', {}, { clickhouse_settings: { max_block_size: '79' } })).rejects.toMatchObject({
        code: '47',
      });
      expect(await rows(probe)).toEqual(before);
    }
  });

  it('keeps the answers of many statements at once apart, while others fail half-way', async () => {
    const query = `SELECT {x:UInt32} AS x, getSetting('max_block_size') AS s`;
    const half = `SELECT number, throwIf(number = 30000) FROM numbers(100000) SETTINGS max_block_size = 1000`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const settings = { clickhouse_settings: { max_block_size: String(1000 + index) } };
        if (index % 5 !== 0) return rows(query, { x: index }, settings);
        const thrown: unknown = await rows(half).catch((error: unknown) => error);
        return (thrown as { code: string }).code;
      }),
    );
    expect(answers).toEqual(
      Array.from({ length: 100 }, (_, index) => (index % 5 === 0 ? '395' : [{ x: index, s: 1000 + index }])),
    );
  });

  it('answers in UTC whatever the time zone of its host', async () => {
    const elsewhere = newFolder();
    const berlin = await startServer(elsewhere, { TZ: 'Europe/Berlin' });
    const result = await berlin
      .client()
      .query({ query: 'SELECT timezone() AS z, toDateTime(0) AS t', format: 'JSONEachRow' });
    expect(await result.json()).toEqual([{ z: 'UTC', t: '1970-01-01 00:00:00' }]);
    await berlin.end('SIGTERM');
    removeFolder(elsewhere);
  });

  it.each(['gzip', 'zstd', 'br'] as const)('inserts and reads compressed by %s', async (codec) => {
    const table = `compressed_${codec}`;
    const packed = server.client({ compression: { request: { codec }, response: { codec } } });
    await packed.command({ query: `CREATE TABLE ${table} (a UInt64, b String) ENGINE = MergeTree ORDER BY a` });
    await packed.insert({
      table,
      columns: ['a', 'b'],
      values: Array.from({ length: 5000 }, (_, i) => [i, `row ${i}`]),
    });
    const result = await packed.query({
      query: `SELECT count() AS n, sum(a) AS s FROM ${table}`,
      format: 'JSONEachRow',
    });
    expect(result.response_headers['content-encoding']).toBe(codec);
    expect(await result.json()).toEqual([{ n: 5000, s: 12_497_500 }]);
  });

  it('compresses an answer for a client that asks by header', async () => {
    const response = await fetch(`${server.url}/?enable_http_compression=1&query=SELECT+1`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe('1\n');
  });
});
