import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@jetton-analytics/service';
import { SimulatedMarket } from '@jetton-analytics/simulated-market';
import { pollUntil } from '@jetton-analytics/testing';
import { openMarket, type MarketWishes } from '../src/simulate/market-file.js';
import { simulate } from '../src/simulate/simulate.js';
import { openFeedBench, type FeedBench } from './support/feed-topics.js';

const quiet = { say: () => undefined, warn: () => undefined, progress: () => undefined, done: () => undefined };

let bench: FeedBench;
let folder = '';
beforeAll(async () => {
  bench = await openFeedBench();
  folder = await mkdtemp(join(tmpdir(), 'market-'));
}, 480_000);
afterAll(async () => {
  await bench?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

/** Until the market has made so many trades, or to the end of its history. */
async function runMarket(stateDir: string | undefined, wishes: MarketWishes, untilTrades?: number) {
  const controller = new AbortController();
  const { signal } = controller;
  const producer = await bench.open(signal);
  const open = await openMarket(stateDir, wishes, systemClock.now());
  const isLive = untilTrades !== undefined;
  const run = simulate({ ...open, producer, topics: bench.topics, clock: systemClock, isLive, output: quiet, signal });
  if (isLive) {
    await pollUntil(() => open.market.tradesMade >= untilTrades, { what: `${untilTrades} trades`, timeoutMs: 20_000 });
    controller.abort(new Error('enough'));
  }
  await run;
  await producer.close();
  return open.market;
}

describe('simulate, into a real Kafka', () => {
  it('puts every record of the history into its topic, without a key, at its own time, in turn over all partitions', async () => {
    const options = { seed: 11, historyEndMs: Date.UTC(2026, 5, 1), historyTrades: 3000, jettons: 20 };
    await runMarket(undefined, options);
    const { historyEndMs } = options;
    const expected = SimulatedMarket.begin(options).advance(historyEndMs + 3000 - 1, Infinity);
    for (const [kind, records] of Map.groupBy(expected, (record) => record.kind)) {
      const stored = await bench.read(bench.topics[kind], records.length);
      const wanted = records
        .map(({ value, timestampMs, sequence }) => ({
          partition: sequence % 3,
          timestampMs,
          key: null,
          value: Buffer.from(value).toString('latin1'),
        }))
        // Stable: inside a partition the records stay in the order they were made in.
        .toSorted((a, b) => a.partition - b.partition);
      expect(stored).toEqual(wanted);
    }
  }, 300_000);

  it('goes on live after a stop, and after a kill that lost what was saved since, without a hole or a contradiction', async () => {
    const stateDir = join(folder, 'live');
    const topic = bench.topics.trades;
    const before = (await bench.read(topic, 0)).length;
    const wishes = { seed: 12, historyTrades: 200, jettons: 20, ratePerSecond: 200, delayMs: 200 };
    await runMarket(stateDir, wishes, 300);
    await runMarket(stateDir, {}, 500);
    // A process that is killed has sent more than it has saved.
    const killed = (await openMarket(stateDir, {}, systemClock.now())).market;
    const producer = await bench.open(new AbortController().signal);
    const lost = killed.advance(systemClock.now(), 100).filter(({ kind }) => kind === 'trades');
    await producer.send(topic, lost);
    await producer.close();
    const market = await runMarket(stateDir, {}, 800);

    const { options } = market;
    const stored = (await bench.read(topic, 0)).filter(({ timestampMs }) => timestampMs >= options.historyEndMs);
    const made = SimulatedMarket.begin(options)
      .advance(systemClock.now(), 20_000)
      .filter(({ kind, timestampMs }) => kind === 'trades' && timestampMs >= options.historyEndMs);
    const wanted = made.map(({ value, timestampMs, sequence }) => `${sequence % 3} ${timestampMs} ${value}`);
    const found = new Set(stored.map(({ partition, timestampMs, value }) => `${partition} ${timestampMs} ${value}`));
    const known = new Set(wanted);
    expect(before).toBeGreaterThan(0);
    expect(found.size).toBeGreaterThan(500);
    expect([...found].filter((record) => !known.has(record))).toEqual([]);
    expect(wanted.slice(0, found.size).filter((record) => !found.has(record))).toEqual([]);
  }, 300_000);
});
