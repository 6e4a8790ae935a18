import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from './poll.js';
import { newFolder, removeFolder, runToEnd, startServer } from './server-process.js';

const TEST_MS = 40_000;
let folder: string;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

const lockPath = () => join(folder, 'lock.json');
const formatPath = () => join(folder, 'format.json');
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

describe('the data folder', () => {
  it(
    'is refused to a second process, which is told who holds it, and keeps its data over restarts',
    async () => {
      const first = await startServer(folder);
      const client = first.client();
      await client.command({ query: 'CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a' });
      await client.insert({ table: 'kept', values: [[1]] });
      const second = await runToEnd(folder);
      expect(second.code).toBe(69);
      expect(second.stderr.trim().split('\n')).toHaveLength(1);
      expect(second.stderr).toContain(`process ${first.pid} has it open and serves it on ${first.url}`);
      expect(await client.ping()).toEqual({ success: true });
      expect(await first.end('SIGTERM')).toBe(0);
      expect(existsSync(lockPath())).toBe(false);
      const third = await startServer(folder);
      const result = await third.client().query({ query: 'SELECT a FROM kept', format: 'TabSeparated' });
      expect(await result.text()).toBe('1\n');
      expect(await third.end('SIGINT')).toBe(0);
    },
    TEST_MS,
  );

  it(
    'is taken over from a process that was killed, and from a number that now belongs to another process',
    async () => {
      const killed = await startServer(folder);
      await killed.end('SIGKILL');
      expect(readJson(lockPath())['pid']).toBe(killed.pid);
      const next = await startServer(folder);
      expect(readJson(lockPath())).toMatchObject({ pid: next.pid, port: next.port });
      const lock = readJson(lockPath());
      await next.end('SIGTERM');
      writeFileSync(lockPath(), JSON.stringify({ ...lock, pid: process.pid, startTicks: '1' }));
      const last = await startServer(folder);
      expect(await last.end('SIGTERM')).toBe(0);
    },
    TEST_MS,
  );

  it(
    'is refused when it is of another format, of a newer engine, unreadable, or not one at all',
    async () => {
      const record = readFileSync(formatPath(), 'utf8');
      const refusals = [
        ['{"format":2,"engineVersion":"26.7.2.1"}', 'has format 2, and this program reads format 1'],
        ['{"format":1,"engineVersion":"26.8.1.1"}', 'was written by engine 26.8.1.1, and this program has engine 26.7'],
        ['{"format":', 'has a format this program does not know'],
      ] as const;
      for (const [text, sentence] of refusals) {
        writeFileSync(formatPath(), text);
        const end = await runToEnd(folder);
        expect(end.code).toBe(69);
        expect(end.stderr).toContain(sentence);
        expect(end.stderr.trim().split('\n')).toHaveLength(1);
        expect(readFileSync(formatPath(), 'utf8')).toBe(text);
      }
      writeFileSync(formatPath(), record);
      const foreign = newFolder();
      writeFileSync(join(foreign, 'letters.txt'), 'dear');
      const end = await runToEnd(foreign);
      expect(end).toMatchObject({ code: 69, stderr: expect.stringContaining('holds letters.txt but no format.json') });
      expect(existsSync(join(foreign, 'lock.json'))).toBe(false);
      removeFolder(foreign);
    },
    TEST_MS,
  );
});

describe('the program', () => {
  it(
    'names each setting that is wrong, and a port that is taken',
    async () => {
      const wrong = await runToEnd(folder, { CLICKHOUSE_LOCAL_PORT: 'x', CLICKHOUSE_LOCAL_QUEUE_MAX: '0' });
      expect(wrong.code).toBe(78);
      expect(wrong.stderr).toMatch(/CLICKHOUSE_LOCAL_PORT: .*number/);
      expect(wrong.stderr).toMatch(/CLICKHOUSE_LOCAL_QUEUE_MAX: .*>=1/);
      const other = createServer();
      const port = await new Promise<number>((resolve) => {
        other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
      });
      const taken = await runToEnd(folder, { CLICKHOUSE_LOCAL_PORT: String(port) });
      other.close();
      expect(taken).toEqual({ code: 69, stderr: `The port ${port} of 127.0.0.1 is taken.\n` });
      expect(existsSync(lockPath())).toBe(false);
    },
    TEST_MS,
  );

  it(
    'finishes running statements on SIGTERM, and ends those that take longer than it waits',
    async () => {
      const patient = await startServer(folder, { CLICKHOUSE_LOCAL_DRAIN_MS: '20000' });
      const client = patient.client();
      const processes = async () => {
        const result = await client.query({
          query: 'SELECT count() AS n FROM system.processes',
          format: 'JSONEachRow',
        });
        return Number((await result.json<{ n: number }>())[0]?.n);
      };
      const slow = fetch(patient.url, { method: 'POST', body: 'SELECT sleep(1)' });
      await until(processes, (count) => count === 2);
      expect(await Promise.all([slow.then((response) => response.text()), patient.end('SIGTERM')])).toEqual(['0\n', 0]);

      const hasty = await startServer(folder, { CLICKHOUSE_LOCAL_DRAIN_MS: '100' });
      const endless = fetch(hasty.url, {
        method: 'POST',
        body: 'SELECT count() FROM numbers(1000000000000000) WHERE sipHash64(number) = 1',
      });
      const ended = endless.then((response) => response.headers.get('x-clickhouse-exception-code'));
      const watching = hasty.client();
      await until(
        async () =>
          Number(
            await (
              await watching.query({ query: 'SELECT count() FROM system.processes', format: 'TabSeparated' })
            ).text(),
          ),
        (count) => count === 2,
      );
      expect(await Promise.all([ended, hasty.end('SIGTERM')])).toEqual(['394', 0]);
      expect(existsSync(lockPath())).toBe(false);
    },
    TEST_MS,
  );
});
