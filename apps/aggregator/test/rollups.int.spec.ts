import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineQuery, jettonSpans } from '@jetton-analytics/clickhouse';
import { type Leg, legsOf } from '@jetton-analytics/feed';
import * as fc from 'fast-check';
import { z } from 'zod';
import { materialiseClosed } from '@jetton-analytics/rollups';
import { bucketVersions } from '@jetton-analytics/rollups';
import { coverRange, staleBuckets } from '@jetton-analytics/rollups';
import { sumsByWindow, windowSumsQuery } from '../src/snapshots/window-sums.query.js';
import { cutMinutes, edgesOf } from '../src/snapshots/edges.js';
import type { TradeWriter } from '../src/trades/trade-writer.js';
import { address, assets, ledgerTrade, nativeAddress, type TradeFields } from './feed-messages.js';
import { newStore } from './store.js';

// 2026-01-01T10:00:00Z
const start = 1_767_261_600;
const jettonsOf = (run: number) => ['a', 'b'].map((name) => address(`jetton ${name} of run ${run}`));
const [jetton = ''] = jettonsOf(0);

const rollups = defineQuery({
  name: 'allRollups',
  sql: `SELECT * FROM (
        SELECT 'jetton' AS kind, toUnixTimestamp(minute) AS minute_s, jetton, '' AS pool, transactions_buy, transactions_sell,
          toString(volume_usd_buy + volume_usd_sell) AS volume_usd, finalizeAggregation(traders) AS traders_count,
          toString(version) AS row_version
        FROM jetton_trades_per_minute_v1 FINAL
        UNION ALL
        SELECT 'pool', toUnixTimestamp(minute), jetton, pool, transactions_buy, transactions_sell,
          toString(volume_usd_buy + volume_usd_sell), finalizeAggregation(traders), toString(version)
        FROM pool_trades_per_minute_v1 FINAL)
        WHERE jetton IN {jettons: Array(String)}
        ORDER BY kind, minute_s, jetton, pool`,
  params: z.object({ jettons: z.array(z.string()) }),
  row: z.object({
    kind: z.string(),
    minute_s: z.int(),
    jetton: z.string(),
    pool: z.string(),
    transactions_buy: z.string(),
    transactions_sell: z.string(),
    volume_usd: z.string(),
    traders_count: z.string(),
    row_version: z.string(),
  }),
});

const messages = fc.array(
  fc.record({
    trade: fc.integer({ min: 0, max: 5 }),
    content: fc.integer({ min: 1, max: 3 }),
    revision: fc.integer({ min: 0, max: 2 }),
    deleted: fc.boolean(),
    recordDelayMs: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);

interface Message {
  readonly trade: number;
  readonly content: number;
  readonly revision: number;
  readonly deleted: boolean;
}

function fieldsOf({ trade, content, revision, deleted }: Message, run = 0): TradeFields {
  const traded = jettonsOf(run)[trade % 2] ?? '';
  const isBuy = trade % 3 === 0;
  return {
    tx: `trade ${trade}`,
    eventTime: start + trade * 25,
    sold: isBuy ? nativeAddress : traded,
    bought: isBuy ? traded : nativeAddress,
    trader: address(`trader ${content}`),
    volumeUsd: String(content),
    revision,
    deleted,
  };
}

type Store = Awaited<ReturnType<typeof newStore>>;
let one: Store;
let other: Store;
let offset = 0;

async function write(legs: readonly Leg[], to: TradeWriter = one.writer): Promise<void> {
  offset += 1;
  await to.write({ partition: 0, lastOffset: String(offset), legs, assertOwned: () => undefined });
}

const tradeAt = (tx: string, eventTime: number) =>
  legsOf(ledgerTrade({ tx, eventTime, sold: nativeAddress, bought: jetton, trader: address(tx) }), assets);

beforeAll(async () => {
  [one, other] = await Promise.all([newStore(), newStore()]);
}, 480_000);
afterAll(async () => {
  await Promise.all([one?.store.close(), other?.store.close()]);
});

describe('minute rollups', () => {
  it('end the same whatever the order, the bounds of batches and the repeats of the same messages', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(messages, fc.infiniteStream(fc.nat()), async (list, random) => {
        run += 1;
        const legs = list.map((message) =>
          legsOf(ledgerTrade(fieldsOf(message, run), (start + 1_000) * 1_000 + message.recordDelayMs), assets),
        );
        await write(legs.flat());
        const shuffled = legs
          .concat(legs.slice(0, 3))
          .map((value) => ({ value, rank: random.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ value }) => value);
        while (shuffled.length > 0) {
          const size = 1 + ((random.next().value ?? 0) % 4);
          await write(shuffled.splice(0, size).flat(), other.writer);
        }
        const ofRun = { jettons: jettonsOf(run).map((name) => name.toLowerCase()) };
        const [atOnce, oneByOne] = await Promise.all([
          one.store.query(rollups, ofRun),
          other.store.query(rollups, ofRun),
        ]);
        expect(atOnce.length).toBeGreaterThan(0);
        expect(oneByOne).toEqual(atOnce);
      }),
      { numRuns: 10, seed: 20_260_101 },
    );
  }, 480_000);

  it('keep an emptied bucket as a row of zeros whose version has risen', async () => {
    const fields = fieldsOf({ trade: 0, content: 1, revision: 0, deleted: false });
    const ofRun = { jettons: jettonsOf(0).map((name) => name.toLowerCase()) };
    await write(legsOf(ledgerTrade(fields), assets));
    const [before] = await one.store.query(rollups, ofRun);
    await write(legsOf(ledgerTrade({ ...fields, deleted: true }), assets));
    const [after] = await one.store.query(rollups, ofRun);
    expect(before).toMatchObject({ transactions_buy: '1', transactions_sell: '0', traders_count: '1' });
    expect(after).toMatchObject({ transactions_buy: '0', transactions_sell: '0', traders_count: '0' });
    expect(BigInt(after?.row_version ?? 0)).toBeGreaterThan(BigInt(before?.row_version ?? 0));
  }, 180_000);
});

describe('a batch', () => {
  it('is written however many days its events lie on', async () => {
    const days = Array.from({ length: 150 }, (_, index) => tradeAt(`day ${index}`, start - index * 86_400));
    await write(days.flat(), other.writer);
    const rows = await other.store.query(rollups, { jettons: [jetton.toLowerCase()] });
    expect(rows.filter(({ kind }) => kind === 'jetton')).toHaveLength(150);
  }, 300_000);
});

function endedGeneration(): void {
  throw new Error('the generation is over');
}

describe('batches that wait together', () => {
  it('are written in one round, without those whose generation is over', async () => {
    const { store: own, writer: ownWriter } = await newStore();
    try {
      const batch = (partition: number, assertOwned: () => void) => ({
        partition,
        lastOffset: '7',
        legs: tradeAt(`partition ${partition}`, start + partition),
        assertOwned,
      });
      const results = await Promise.allSettled([
        ownWriter.write(batch(0, () => undefined)),
        ownWriter.write(batch(1, () => undefined)),
        ownWriter.write(batch(2, endedGeneration)),
        ownWriter.write(batch(3, () => undefined)),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
      const [row] = await own.query(rollups, { jettons: [jetton.toLowerCase()] });
      expect(row).toMatchObject({ kind: 'jetton', transactions_buy: '3', traders_count: '3' });
    } finally {
      await own.close();
    }
  }, 300_000);
});

describe('closed hours and days', () => {
  const range = { from: start - (start % 86_400), to: start + 3 * 86_400 };
  it('are stale after a late event and current again after they are written, by comparing versions alone', async () => {
    const { store: own, writer: ownWriter } = await newStore();
    try {
      await write([...tradeAt('one', start), ...tradeAt('two', start + 7_200)], ownWriter);
      const asOf = start + 2 * 86_400;
      const stale = async () => staleBuckets(await own.query(bucketVersions.jetton, range), asOf);
      expect(await stale()).toEqual({ hours: [start, start + 7_200], days: [] });
      await materialiseClosed(own, asOf, () => undefined);
      expect(await stale()).toEqual({ hours: [], days: [range.from] });
      await materialiseClosed(own, asOf, () => undefined);
      expect(await stale()).toEqual({ hours: [], days: [] });
      await write(tradeAt('late', start + 60), ownWriter);
      expect((await stale()).hours).toEqual([start]);
    } finally {
      await own.close();
    }
  }, 300_000);

  it('give the windows the same sums as their minutes do', async () => {
    const { store: own, writer: ownWriter } = await newStore();
    try {
      const legs = Array.from({ length: 200 }, (_, index) =>
        tradeAt(`t${index % 150}-${index}`, start + index * 997),
      ).flat();
      await write(legs, ownWriter);
      const calculatedAt = start + 200 * 997 - 1_234;
      const edges = edgesOf('mid', calculatedAt);
      const sums = async () => {
        const versions = await own.query(bucketVersions.jetton, {
          from: (edges[0] ?? 0) - ((edges[0] ?? 0) % 86_400),
          to: calculatedAt + 86_400,
        });
        const coverage = coverRange(versions, edges);
        const params = {
          calculatedAt,
          edgeSecond: calculatedAt % 60,
          cutMinutes: cutMinutes(edges),
          from: edges[0] ?? 0,
          days: [...coverage.days],
          hours: [...coverage.hours],
          minuteHours: [...coverage.minuteHours],
        };
        const inSpans = async (count: number) => {
          const read = jettonSpans(count).map((span) =>
            own.query(windowSumsQuery('jetton', 'mid'), { ...params, ...span }),
          );
          return (await Promise.all(read)).flat();
        };
        const rows = await inSpans(1);
        // A statement per span, where there are many rows: each jetton is in one of them.
        expect(await inSpans(7)).toEqual(rows);
        return { coverage, rows };
      };
      const fromMinutes = await sums();
      expect(fromMinutes.coverage.hours).toEqual([]);
      await materialiseClosed(own, calculatedAt, () => undefined);
      const fromHours = await sums();
      expect(fromHours.coverage.hours.length).toBeGreaterThan(10);
      expect(sumsByWindow('mid', fromHours.rows)).toEqual(sumsByWindow('mid', fromMinutes.rows));
      // An independent count: legs by the second.
      const inWindow = legs.filter((leg) => leg.eventTime >= calculatedAt - 86_400 && leg.eventTime < calculatedAt);
      expect(sumsByWindow('mid', fromHours.rows).day?.[0]).toBe(String(inWindow.length));
      const traders = new Set(inWindow.map((leg) => leg.trader));
      expect(sumsByWindow('mid', fromHours.rows).day?.[4]).toBe(String(traders.size));
    } finally {
      await own.close();
    }
  }, 300_000);
});
