import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseClient } from '@clickhouse/client';
import { newFolder, removeFolder, type ServerProcess, startServer } from './server-process.js';

let folder: string;
let server: ServerProcess;
let client: ClickHouseClient;

const rows = async (query: string) => {
  const result = await client.query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
  });
  return result.json<Record<string, unknown>>();
};
const post = (query: string, body: string | Buffer) =>
  fetch(`${server.url}/?query=${encodeURIComponent(query)}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
  });

beforeAll(async () => {
  folder = newFolder();
  server = await startServer(folder);
  client = server.client();
}, 180_000);
afterAll(async () => {
  await server?.end('SIGTERM');
  removeFolder(folder);
});

describe('inserts', () => {
  const TABLE = 'CREATE TABLE IF NOT EXISTS rows (a UInt64, b String) ENGINE = MergeTree ORDER BY a';
  const CONTENT = [
    { a: '1', b: `x'\\\n,"é` },
    { a: '2', b: 'FORMAT; --' },
  ];

  it.each([
    'JSONEachRow',
    'JSONCompactEachRow',
    'JSONCompactEachRowWithNames',
    'JSONStringsEachRow',
    'CSV',
    'TSV',
    'CSVWithNames',
    'TabSeparatedWithNamesAndTypes',
    'RowBinary',
    'RowBinaryWithNamesAndTypes',
    'Native',
    'Values',
    'Parquet',
    'Arrow',
  ])('takes back in %s the bytes it answered in it', async (format) => {
    await client.command({ query: TABLE });
    await client.command({ query: 'TRUNCATE TABLE rows' });
    await client.insert({ table: 'rows', values: CONTENT, format: 'JSONEachRow' });
    const url = `${server.url}/?query=${encodeURIComponent(`SELECT a, b FROM rows ORDER BY a FORMAT ${format}`)}`;
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    await client.command({ query: 'TRUNCATE TABLE rows' });
    const response = await post(`INSERT INTO rows (a, b) FORMAT ${format}`, bytes);
    expect(await response.text()).toBe('');
    expect(await rows('SELECT a, b FROM rows ORDER BY a')).toEqual(CONTENT);
    await client.command({ query: 'TRUNCATE TABLE rows' });
    const whole = Buffer.concat([Buffer.from(`INSERT INTO rows FORMAT ${format}\n`), bytes]);
    await fetch(server.url, { method: 'POST', body: new Uint8Array(whole) });
    expect(await rows('SELECT a, b FROM rows ORDER BY a')).toEqual(CONTENT);
  });

  it('takes a stream, quoted names, settings in the statement, and no rows at all', async () => {
    await client.command({ query: 'CREATE TABLE `odd name` (`a b` UInt64, c String) ENGINE = MergeTree ORDER BY c' });
    const stream = Readable.from([
      { 'a b': 1, c: 'one' },
      { 'a b': 2, c: 'two' },
    ]);
    await client.insert({ table: '`odd name`', values: stream, format: 'JSONEachRow' });
    await post(
      'INSERT INTO `odd name` (`a b`, c) SETTINGS max_insert_threads = 1 FORMAT JSONCompactEachRow',
      '[3,"three"]',
    );
    await client.insert({
      table: '`odd name`',
      values: [{ c: 'four' }],
      columns: { except: ['`a b`'] },
      format: 'JSONEachRow',
    });
    await post('INSERT INTO `odd name` FORMAT JSONEachRow', '');
    expect(await rows('SELECT `a b` AS a, c FROM `odd name` ORDER BY c')).toEqual([
      { a: '0', c: 'four' },
      { a: '1', c: 'one' },
      { a: '3', c: 'three' },
      { a: '2', c: 'two' },
    ]);
  });

  it('inserts from a query with parameters, and VALUES given in the statement', async () => {
    await client.command({ query: 'CREATE TABLE copied (a UInt64, b String) ENGINE = MergeTree ORDER BY a' });
    await client.command({
      query: 'INSERT INTO copied SELECT number, {b:String} FROM numbers({n:UInt64})',
      query_params: { b: "';", n: 3 },
    });
    await client.command({ query: `INSERT INTO copied VALUES (9, 'nine;'), (10, 'FORMAT JSON')` });
    expect(await rows('SELECT a, b FROM copied ORDER BY a')).toEqual([
      { a: '0', b: "';" },
      { a: '1', b: "';" },
      { a: '2', b: "';" },
      { a: '9', b: 'nine;' },
      { a: '10', b: 'FORMAT JSON' },
    ]);
  });

  it('stores nothing of an insert with a bad row', async () => {
    await client.command({ query: TABLE });
    await client.command({ query: 'TRUNCATE TABLE rows' });
    const response = await post('INSERT INTO rows FORMAT JSONCompactEachRow', '[1,"good"]\n["bad"]\n');
    expect(response.status).toBe(400);
    expect(response.headers.get('x-clickhouse-exception-code')).toBe('27');
    expect(await rows('SELECT count() AS n FROM rows')).toEqual([{ n: '0' }]);
  });
});
