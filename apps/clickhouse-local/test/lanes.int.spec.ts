import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseClient } from '@clickhouse/client';
import { until } from './poll.js';
import { newFolder, removeFolder, type ServerProcess, startServer } from './server-process.js';

const ENDLESS = 'SELECT count() FROM numbers(1000000000000000) WHERE sipHash64(number) = 1';
const SNAPSHOT = { http_headers: { 'X-ClickHouse-Local-Lane': 'snapshot' } };
const TEST_MS = 30_000;

let folder: string;
let server: ServerProcess;
let client: ClickHouseClient;

const snapshot = async (query: string) => {
  const result = await client.query({ query, format: 'JSONEachRow', ...SNAPSHOT });
  return result.json<Record<string, unknown>>();
};
/** How many statements whose text holds `part` run. */
const running = async (part: string) => {
  const rows = await snapshot(`SELECT query FROM system.processes WHERE query LIKE '%${part}%'`);
  return rows.filter((row) => !String(row['query']).includes('system.processes')).length;
};

beforeAll(async () => {
  folder = newFolder();
  server = await startServer(folder, {
    CLICKHOUSE_LOCAL_WRITE_SESSIONS: '1',
    CLICKHOUSE_LOCAL_READ_SESSIONS: '1',
    CLICKHOUSE_LOCAL_SNAPSHOT_SESSIONS: '1',
    CLICKHOUSE_LOCAL_QUEUE_MAX: '2',
    CLICKHOUSE_LOCAL_DRAIN_MS: '200',
  });
  client = server.client();
  await client.command({ query: 'CREATE TABLE lanes (a UInt64) ENGINE = MergeTree ORDER BY a' });
}, TEST_MS);
afterAll(async () => {
  await server?.end('SIGTERM');
  removeFolder(folder);
});

describe('the caches of the engine', () => {
  it('have bounds of some megabytes, where those of a server may take half of the machine', async () => {
    const rows = await snapshot(
      `SELECT name, toUInt64(value) <= 134217728 AS is_small FROM system.server_settings WHERE name IN
        ('mark_cache_size', 'index_mark_cache_size', 'primary_index_cache_size', 'query_condition_cache_size')`,
    );
    expect(rows.map((row) => row['is_small'])).toEqual([1, 1, 1, 1]);
  });
});

describe('lanes', () => {
  it(
    'do not hold each other up: writes and snapshots end while a read goes on',
    async () => {
      const abort = new AbortController();
      const read = client.query({ query: `${ENDLESS} AND 1`, abort_signal: abort.signal }).then(
        () => 'ended',
        () => 'aborted',
      );
      await until(
        () => running('AND 1'),
        (count) => count === 1,
      );
      await client.insert({ table: 'lanes', values: [[1]] });
      expect(await snapshot('SELECT count() AS n FROM lanes')).toEqual([{ n: 1 }]);
      const tagged = { log_comment: 'lane=snapshot hydrate' };
      await client.query({ query: 'SELECT 1', clickhouse_settings: tagged });
      expect(await running('AND 1')).toBe(1);
      abort.abort();
      expect(await read).toBe('aborted');
    },
    TEST_MS,
  );

  it(
    'end a read whose client has gone, so that the lane is free again',
    async () => {
      const abort = new AbortController();
      const read = client.query({ query: `${ENDLESS} AND 2`, abort_signal: abort.signal });
      read.catch(() => undefined);
      await until(
        () => running('AND 2'),
        (count) => count === 1,
      );
      abort.abort();
      await until(
        () => running('AND 2'),
        (count) => count === 0,
      );
      expect(await (await client.query({ query: 'SELECT 3', format: 'TabSeparated' })).text()).toBe('3\n');
    },
    TEST_MS,
  );

  it(
    'answer 503 with code 202 and Retry-After once the queue is full, and serve the queue in order',
    async () => {
      const busy = fetch(server.url, { method: 'POST', body: 'SELECT sleep(2), 0 AS first' });
      await until(
        () => running('AS first'),
        (count) => count === 1,
      );
      const ended: number[] = [];
      const waiting = [1, 2].map(async (index) => {
        const response = await fetch(server.url, { method: 'POST', body: `SELECT ${index}` });
        ended.push(index);
        return response.status;
      });
      // Requests on connections of their own arrive in any order, but these three can only be two waiting and one refused.
      const third = fetch(server.url, { method: 'POST', body: 'SELECT 3' });
      const responses = await Promise.all([third.then((response) => response.status), ...waiting]);
      expect(responses.sort()).toEqual([200, 200, 503]);
      expect((await busy).status).toBe(200);
      expect(ended).toHaveLength(2);
    },
    TEST_MS,
  );

  it(
    'refuse with the headers a client waits by',
    async () => {
      const busy = fetch(server.url, { method: 'POST', body: 'SELECT sleep(2), 0 AS second' });
      await until(
        () => running('AS second'),
        (count) => count === 1,
      );
      const all = await Promise.all(
        Array.from({ length: 5 }, () => fetch(server.url, { method: 'POST', body: 'SELECT 1' })),
      );
      const refused = all.filter((response) => response.status === 503);
      expect(refused).toHaveLength(3);
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
      expect(refused[0]?.headers.get('x-clickhouse-exception-code')).toBe('202');
      expect((await busy).status).toBe(200);
    },
    TEST_MS,
  );

  it(
    'drop a waiting write whose client has gone',
    async () => {
      const busy = client.command({ query: 'INSERT INTO lanes SELECT 2 + sleep(1) AS third' });
      await until(
        () => running('AS third'),
        (count) => count === 1,
      );
      const abort = new AbortController();
      const dropped = client.insert({ table: 'lanes', values: [[666]], abort_signal: abort.signal }).then(
        () => 'stored',
        () => 'dropped',
      );
      await client.ping();
      abort.abort();
      expect(await dropped).toBe('dropped');
      await busy;
      await client.insert({ table: 'lanes', values: [[3]] });
      expect(await snapshot('SELECT count() AS n FROM lanes WHERE a = 666')).toEqual([{ n: 0 }]);
    },
    TEST_MS,
  );
});

describe('time', () => {
  it(
    'bounds a statement by the lower value a client gives',
    async () => {
      const limited = client.query({ query: ENDLESS, clickhouse_settings: { max_execution_time: 1 } });
      await expect(limited).rejects.toMatchObject({ code: '159', type: 'TIMEOUT_EXCEEDED' });
    },
    TEST_MS,
  );

  it(
    'bounds a statement whatever value its client or its own SETTINGS give',
    async () => {
      const short = newFolder();
      const strict = await startServer(short, { CLICKHOUSE_LOCAL_STATEMENT_SECONDS_MAX: '1' });
      const impatient = strict.client();
      const greedy = [0, 100].map((seconds) =>
        impatient.query({ query: ENDLESS, clickhouse_settings: { max_execution_time: seconds } }),
      );
      greedy.push(impatient.query({ query: `${ENDLESS} SETTINGS max_execution_time = 0` }));
      const ends = await Promise.allSettled(greedy);
      expect(ends.map((end) => (end.status === 'rejected' ? (end.reason as { code: string }).code : 'no end'))).toEqual(
        ['159', '159', '394'],
      );
      await strict.end('SIGTERM');
      removeFolder(short);
    },
    TEST_MS,
  );
});
