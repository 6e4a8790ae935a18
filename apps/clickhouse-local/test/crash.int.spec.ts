import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ClickHouseClient } from '@clickhouse/client';
import { newFolder, removeFolder, startServer } from './server-process.js';

const KILLS = 6;
const WRITERS = 4;
const ROWS_MAX = 3_000;
const ALIVE_MS_MAX = 600;
const TEST_MS = 90_000;
const TABLE = `CREATE TABLE IF NOT EXISTS crash (batch UInt64, i UInt32, filler String)
  ENGINE = MergeTree PARTITION BY batch % 3 ORDER BY (batch, i)`;

let folder: string;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

/** Numbers from 0 to 1 that a seed determines (the generator mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

it(
  'keeps every acknowledged insert whole, and no insert in part, over kills under load',
  async () => {
    const seed = Number(process.env['CRASH_SEED'] ?? Math.floor(performance.timeOrigin % 2 ** 31));
    console.log(`crash test: CRASH_SEED=${seed}`);
    const random = randomFrom(seed);
    const sent = new Map<number, number>();
    const acknowledged = new Set<number>();
    const write = async (client: ClickHouseClient, stopped: AbortSignal) => {
      while (!stopped.aborted) {
        const batch = sent.size;
        const rows = 1 + Math.floor(random() * ROWS_MAX);
        sent.set(batch, rows);
        const values = Array.from({ length: rows }, (_, i) => [batch, i, `filler ${i} `.repeat(10)]);
        try {
          await client.insert({ table: 'crash', values });
          acknowledged.add(batch);
        } catch {
          return;
        }
      }
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await startServer(folder);
      const clients = Array.from({ length: WRITERS }, (_, index) =>
        server.client({ compression: { request: index % 2 === 0 } }),
      );
      await clients[0]?.command({ query: TABLE });
      const stopped = new AbortController();
      const writers = clients.map((client) => write(client, stopped.signal));
      await delay(50 + random() * ALIVE_MS_MAX);
      stopped.abort();
      // Closing the clients first would let them finish: the kill has to hit inserts on their way.
      process.kill(server.pid, 'SIGKILL');
      await Promise.all([...writers, server.end('SIGKILL')]);
    }
    const server = await startServer(folder);
    const result = await server.client().query({
      query: 'SELECT batch, count() AS rows, uniqExact(i) AS distinct FROM crash GROUP BY batch',
      format: 'JSONEachRow',
    });
    const found = await result.json<{ batch: number; rows: number; distinct: number }>();
    await server.end('SIGTERM');
    const stored = new Map(found.map(({ batch, rows, distinct }) => [batch, rows === distinct ? rows : -1]));
    expect([...acknowledged].filter((batch) => !stored.has(batch))).toEqual([]);
    expect([...stored].filter(([batch, rows]) => rows !== sent.get(batch))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(KILLS);
    expect(sent.size).toBeGreaterThan(acknowledged.size);
  },
  TEST_MS,
);
