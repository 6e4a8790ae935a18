import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RatesStore } from './rates-store.js';
import { keepRatesRefreshed, refreshRates } from './refresh-rates.js';

const nowMs = Date.parse('2026-03-05T12:00:00Z');
const body = (day: string): string => JSON.stringify({ date: day, usd: { eur: 0.91 } });

let server: Server;
let url: string;
let answer: (response: ServerResponse) => void;
let lines: { level: string; fields: object; message: string }[];
let statements: unknown[][];

/** Stands for the database: every row is new to it. */
const store: RatesStore = {
  query: <T>(_sql: string, parameters: unknown[] = []) => {
    statements.push(parameters);
    const days = parameters[0] as string[];
    return Promise.resolve(days.map(() => ({ is_new: true })) as T);
  },
};
const log = (level: string) => (fields: object, message: string) => lines.push({ level, fields, message });
const options = () => ({
  url: `${url}/secret?key=1`.replace('http://', 'http://user:password@'),
  store,
  clock: { now: () => nowMs },
  logger: { info: log('info'), warn: log('warn') },
});

beforeAll(async () => {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  lines = [];
  statements = [];
});

describe('a refresh of rates', () => {
  it('imports the day of the answer and says which currencies are missing', async () => {
    answer = (response) => response.end(body('2026-03-05'));
    const { url: withSecrets, ...rest } = options();
    const plain = withSecrets.replace('user:password@', '');
    expect(await refreshRates({ ...rest, url: plain })).toEqual({
      inserted: 1,
      updated: 0,
      unchanged: 0,
      day: '2026-03-05',
    });
    expect(statements[0]?.slice(0, 3)).toEqual([['2026-03-05'], ['eur'], ['0.91']]);
    expect(lines.map(({ level }) => level)).toEqual(['info', 'warn']);
    // neither the log nor the kept source shows the query, where keys are
    expect(JSON.stringify([lines, statements])).not.toContain('key=1');
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['of a day to come', (response) => response.end(body('2026-03-07')), /2026-03-07, a day to come/],
    ['of another status', (response) => response.writeHead(503).end(body('2026-03-05')), /status 503/],
    ['that is no JSON', (response) => response.end('<html>'), /not JSON/],
    ['that is too large', (response) => response.end(' '.repeat(5_000)), /larger than 4000 bytes/],
    ['that ends too late', (response) => response.write('{'), /timeout/i],
  ])('refuses an answer %s and changes nothing', async (_what, given, message) => {
    answer = given;
    const refreshed = refreshRates({ ...options(), url, bytesMax: 4_000, timeoutMs: 300 });
    await expect(refreshed).rejects.toThrow(message);
    expect(statements).toEqual([]);
  });

  it('takes the rates of tomorrow: their maker may be ahead', async () => {
    answer = (response) => response.end(body('2026-03-06'));
    expect((await refreshRates({ ...options(), url })).day).toBe('2026-03-06');
  });
});

describe('the schedule', () => {
  it('tries again sooner after a failure, goes on after a success, and ends with the signal', async () => {
    const answers = ['<html>', body('2026-03-05'), '<html>'];
    answer = (response) => response.end(answers.shift());
    const end = new AbortController();
    const waits: number[] = [];
    await keepRatesRefreshed({
      ...options(),
      url,
      intervalMs: 1_000,
      retryMs: 10,
      signal: end.signal,
      pause: (ms) => {
        waits.push(ms);
        if (waits.length === 3) end.abort();
        return Promise.resolve();
      },
    });
    expect(waits).toEqual([10, 1_000, 10]);
    expect(lines.filter(({ message }) => message === 'rates were not refreshed')).toHaveLength(2);
    expect(statements).toHaveLength(1);
  });

  it('ends at once when the signal comes during a fetch', async () => {
    const end = new AbortController();
    answer = () => end.abort();
    const waits: number[] = [];
    await keepRatesRefreshed({
      ...options(),
      url,
      intervalMs: 1_000,
      signal: end.signal,
      pause: (ms) => Promise.resolve(void waits.push(ms)),
    });
    expect(waits).toEqual([]);
    expect(lines).toEqual([]);
  });
});
