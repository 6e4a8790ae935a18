import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineQuery } from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import { type Step, steps } from '@jetton-analytics/figures';
import * as fc from 'fast-check';
import { z } from 'zod';
import { keptFrom } from '../src/retention/bounds.js';
import { dropDays } from '../src/retention/drop-days.js';
import { materialiseClosed } from '@jetton-analytics/rollups';
import { assetFactsOfSettings } from '../src/snapshots/asset-facts.js';
import { StepSnapshots } from '../src/snapshots/step-snapshots.js';
import { address, assets, ledgerTrade, nativeAddress, type TradeFields, usdtAddress } from './feed-messages.js';
import { publishedRows, windowOf } from './snapshot-view.js';
import { newStore, prices } from './store.js';

// 2026-03-10T10:00:17Z
const c = 1_773_136_817;
const day = 86_400;
const midnight = c - (c % day);
const retentionDays = 62;
const facts = assetFactsOfSettings(assets);
const leading = () => undefined;

/** A store from which days go, and one with the same trades that keeps everything. */
type Stores = Record<'dropping' | 'keeping', Awaited<ReturnType<typeof newStore>>>;
let stores: Stores;
let offset = 0;
let term = 0;
beforeEach(async () => {
  const [dropping, keeping] = await Promise.all([newStore(), newStore()]);
  stores = { dropping, keeping };
}, 300_000);
afterEach(async () => {
  await Promise.all(Object.values(stores).map(({ store }) => store.close()));
});

async function write(trades: readonly (Omit<TradeFields, 'tx'> & { readonly tx?: string })[]): Promise<void> {
  offset += 1;
  const legs = trades.flatMap((fields, index) =>
    legsOf(ledgerTrade({ tx: `trade ${offset} ${index}`, ...fields }), assets),
  );
  for (const { writer } of Object.values(stores)) {
    await writer.write({ partition: 0, lastOffset: String(offset), legs, assertOwned: leading });
  }
}

const instantAt = (at: number) => ({
  calculatedAt: at,
  asOf: at,
  positions: new Map([[0, String(offset + 1)]]),
  markedOn: '2026-03-10',
});

async function rowsFromNothing(store: ClickHouseWriter, step: Step, at: number) {
  term += 1;
  await new StepSnapshots(store, step, term, facts, prices).take(instantAt(at), leading);
  return Object.fromEntries(await publishedRows(store, term, step));
}

const drop = (at: number) => dropDays(stores.dropping.store, keptFrom(at, retentionDays), leading);

const storedFrom = defineQuery({
  name: 'storedFrom',
  sql: `SELECT (SELECT toUnixTimestamp(min(minute)) FROM jetton_legs_v1) AS ledger_s,
          (SELECT toUnixTimestamp(min(minute)) FROM jetton_trades_per_minute_v1) AS jettons_s,
          (SELECT toUnixTimestamp(min(minute)) FROM pool_trades_per_minute_v1) AS pools_s`,
  params: z.object({}),
  row: z.object({ ledger_s: z.int(), jettons_s: z.int(), pools_s: z.int() }),
});

const lastTrades = defineQuery({
  name: 'lastTrades',
  sql: 'SELECT pool, toUInt32(max(last_trade_s)) AS last_s FROM kept_last_trades_v1 GROUP BY pool ORDER BY last_s',
  params: z.object({}),
  row: z.object({ pool: z.string(), last_s: z.int() }),
});

describe('days that retention drops', () => {
  const jetton = address('silent');
  const pool = address('silent pool');
  const buy = { sold: nativeAddress, bought: jetton, pool, amountBought: '1000000000', volumeUsd: '8' };

  it('go from the ledger and the minutes, whole and oldest first; days that windows read stay', async () => {
    const days = [100, 63, 62, 61, 1];
    await write(days.map((ago) => ({ ...buy, eventTime: midnight - ago * day })));
    expect(await drop(c)).toBe(2);
    const first = midnight - 62 * day;
    expect(await stores.dropping.store.query(storedFrom, {})).toEqual([
      { ledger_s: first, jettons_s: first, pools_s: first },
    ]);
    expect(await drop(c)).toBe(0);
  }, 300_000);

  it('leave a silent jetton known, with its price and its markets’, and one that wakes its previous', async () => {
    const [waking, other, otherPool] = [address('waking'), address('other'), address('other pool')];
    await write([
      { ...buy, eventTime: midnight - 90 * day, amountSold: '2000000000' },
      { ...buy, bought: waking, eventTime: midnight - 80 * day, amountSold: '4000000000' },
      { eventTime: midnight - 80 * day, sold: jetton, bought: other, pool: otherPool, amountSold: '3000000000' },
    ]);
    expect(await drop(c)).toBe(2);
    await write([{ ...buy, bought: waking, eventTime: c - 60, amountSold: '6000000000' }]);
    const priceTon = 18;
    for (const step of steps) {
      const rows = await rowsFromNothing(stores.dropping.store, step, c);
      expect(rows).toEqual(await rowsFromNothing(stores.keeping.store, step, c));
      const window = String(rows[`${jetton}|`.toLowerCase()]?.windows[0]?.[0]);
      const pricesOf = (of: string) => windowOf(rows[`${of}|`.toLowerCase()], window)?.slice(priceTon, priceTon + 2);
      expect(pricesOf(jetton)).toEqual([
        ['200000000000', 11],
        ['200000000000', 11],
      ]);
      expect(pricesOf(waking)).toEqual([
        ['600000000000', 11],
        ['400000000000', 11],
      ]);
      expect(rows[`${jetton}|${otherPool}`.toLowerCase()]?.counterpart).toBe(other.toLowerCase());
    }
  }, 300_000);

  it('leave when each market was traded last, retractions and what is no trade aside', async () => {
    const old = midnight - 90 * day;
    const other = address('other pool');
    const silent = { ...buy, pool: other, eventTime: old + 50 };
    await write([
      { ...buy, eventTime: old - day + 1 },
      { ...buy, eventTime: old + 70 },
      { ...buy, eventTime: old + 69 },
      { ...buy, eventTime: old + 80, amountSold: '0' },
      { ...silent, eventTime: old + 49 },
    ]);
    const taken = { tx: 'taken back', ...silent };
    await write([taken, { ...taken, revision: 2, deleted: true }]);
    expect(await drop(c)).toBe(2);
    expect(await stores.dropping.store.query(lastTrades, {})).toEqual([
      { pool: other.toLowerCase(), last_s: old + 49 },
      { pool: pool.toLowerCase(), last_s: old + 70 },
    ]);
  }, 300_000);

  it('are kept in part when the leadership is lost on the way, and go with the next leader', async () => {
    await write([70, 71, 72].map((ago) => ({ ...buy, eventTime: midnight - ago * day, amountSold: `${ago}00000000` })));
    const expected = await rowsFromNothing(stores.keeping.store, 'mid', c);
    let losses = 0;
    // Before each of the steps of a day: four that keep, three that drop.
    for (const stepsDone of [0, 1, 2, 3, 4, 5, 6, 7, 9]) {
      let asked = 0;
      const lost = () => {
        asked += 1;
        if (asked > stepsDone) throw new Error('the leadership is lost');
      };
      await dropDays(stores.dropping.store, keptFrom(c, retentionDays), lost).catch(() => (losses += 1));
      expect(await rowsFromNothing(stores.dropping.store, 'mid', c)).toEqual(expected);
    }
    expect(losses).toBeGreaterThanOrEqual(8);
    await drop(c);
    expect(await rowsFromNothing(stores.dropping.store, 'mid', c)).toEqual(expected);
  }, 480_000);
});

const jettons = ['j0', 'j1', 'j2', 'j3'].map(address);
const pools = [null, ...['p0', 'p1'].map(address)];
const someTrades = fc.array(
  fc.record({
    // Around midnights, where the 60 minutes of a price lie in two days.
    daysAgo: fc.integer({ min: 0, max: 75 }),
    seconds: fc.oneof(fc.integer({ min: -5_400, max: 5_400 }), fc.integer({ min: 0, max: day - 1 })),
    jetton: fc.constantFrom(...jettons),
    other: fc.constantFrom(nativeAddress, usdtAddress, ...jettons.slice(0, 2)),
    isBuy: fc.boolean(),
    pool: fc.constantFrom(...pools),
    amount: fc.integer({ min: 1, max: 9 }),
    volumeUsd: fc.constantFrom(null, '0.5', '1', '3'),
    volumeTon: fc.constantFrom(null, '0', '2', '7'),
  }),
  { minLength: 30, maxLength: 80 },
);

describe('figures and prices', () => {
  it('are the same whether days were dropped or not, at every instant, from nothing and followed', async () => {
    const property = fc.asyncProperty(fc.array(someTrades, { minLength: 4, maxLength: 4 }), async (rounds) => {
      const [dropping, keeping] = await Promise.all([newStore(), newStore()]);
      const before = stores;
      stores = { dropping, keeping };
      try {
        term += 1;
        const followedTerm = term;
        const followers = new Map(
          steps.map((step) => [step, new StepSnapshots(dropping.store, step, followedTerm, facts, prices)]),
        );
        let dropped = 0;
        for (const [round, trades] of rounds.entries()) {
          // Later by some days each time: points that were kept meet those of the days that go next.
          const now = c + round * 3 * day + round * 1_234;
          const tooLate = now - (retentionDays - 2) * day;
          const fields = trades
            .map(({ daysAgo, seconds, jetton, other, isBuy, amount, ...rest }) => ({
              eventTime: now - (now % day) - daysAgo * day + seconds,
              sold: isBuy ? other : jetton,
              bought: isBuy ? jetton : other,
              amountSold: `${amount}000000`,
              amountBought: '3000000',
              ...rest,
            }))
            .filter(({ sold, bought, eventTime }) => sold !== bought && (round === 0 || eventTime >= tooLate));
          await write(fields);
          await materialiseClosed(dropping.store, now, leading);
          dropped += await drop(now);
          for (const step of steps) {
            await followers.get(step)?.take(instantAt(now), leading);
            const expected = await rowsFromNothing(keeping.store, step, now);
            expect(Object.keys(expected).length).toBeGreaterThan(0);
            expect(await rowsFromNothing(dropping.store, step, now)).toEqual(expected);
            expect(Object.fromEntries(await publishedRows(dropping.store, followedTerm, step))).toEqual(expected);
          }
        }
        expect(dropped).toBeGreaterThan(0);
      } finally {
        stores = before;
        await Promise.all([dropping.store.close(), keeping.store.close()]);
      }
    });
    // No shrinking: a run takes seconds. The seed of a failure is in its message.
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  }, 600_000);
});
