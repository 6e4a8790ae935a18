import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import type { Step } from '@jetton-analytics/figures';
import { KnownFacts } from '../src/facts/known-facts.js';
import { type AssetFacts, assetFactsOfSettings } from '../src/snapshots/asset-facts.js';
import type { PriceSettings } from '../src/snapshots/price-book.js';
import { StepSnapshots } from '../src/snapshots/step-snapshots.js';
import type { TradeWriter } from '../src/trades/trade-writer.js';
import { address, assets, ledgerTrade, nativeAddress, type TradeFields, usdtAddress } from './feed-messages.js';
import { publishedRows, type ViewedRow, windowOf } from './snapshot-view.js';
import { newStore, prices } from './store.js';

// 2026-03-10T10:00:17Z: every edge lies inside a minute.
const c = 1_773_136_817;
const day = 86_400;
const plain = assetFactsOfSettings(assets);
const noPrice = ['0', 9];
const noUsdPrice = ['0', 6];

let store: ClickHouseWriter;
let writer: TradeWriter;
let offset = 0;
let term = 0;

async function write(...trades: readonly Omit<TradeFields, 'tx'>[]): Promise<void> {
  const legs = trades.flatMap((fields) => {
    offset += 1;
    return legsOf(ledgerTrade({ tx: `trade ${offset}`, ...fields }), assets);
  });
  await writer.write({ partition: 0, lastOffset: String(offset), legs, assertOwned: () => undefined });
}

/** The rows of a snapshot calculated from nothing, by jetton or by `jetton|pool` as the given names. */
async function rowsAt(
  step: Step,
  at = c,
  { facts = plain, settings = prices }: { facts?: AssetFacts; settings?: PriceSettings } = {},
): Promise<(jetton: string, pool?: string | null) => ViewedRow | undefined> {
  term += 1;
  const snapshots = new StepSnapshots(store, step, term, facts, settings);
  const instant = { calculatedAt: at, asOf: at, positions: new Map([[0, String(offset + 1)]]), markedOn: '2026-03-10' };
  await snapshots.take(instant, () => undefined);
  const rows = await publishedRows(store, term, step);
  return (jetton, pool) => rows.get(`${jetton}|${pool ?? ''}`.toLowerCase());
}

// Positions in the tuple of a jetton's window, after its name.
const jettonColumns = { buy: 0, sell: 2, traders: 4, usdBuy: 10, priceTon: 18, priceUsd: 20 };
const pair = (window: readonly unknown[] | undefined, column: number) => window?.slice(column, column + 2);
// And of a market's.
const marketColumns = { transactions: 0, traders: 2, usd: 4, price: 6 };

beforeAll(async () => {
  ({ store, writer } = await newStore());
}, 300_000);
afterAll(async () => {
  await store?.close();
});

describe('windows', () => {
  it('hold C − w ≤ event time < C, and before it C − 2w ≤ event time < C − w, to the second', async () => {
    const jetton = address('edges');
    const buy = (eventTime: number) => ({ eventTime, sold: nativeAddress, bought: jetton });
    await write(...[c, c - 1, c - 900, c - 901, c - 1_800, c - 1_801].map(buy));
    const min15 = windowOf((await rowsAt('short'))(jetton), 'min15');
    expect(pair(min15, jettonColumns.buy)).toEqual(['2', '2']);
    const later = windowOf((await rowsAt('short', c + 1))(jetton), 'min15');
    expect(pair(later, jettonColumns.buy)).toEqual(['2', '2']);
    const muchLater = windowOf((await rowsAt('short', c + 1_801))(jetton), 'min15');
    expect(pair(muchLater, jettonColumns.buy)).toEqual(['0', '0']);
  }, 300_000);

  it('count a jetton-to-jetton trade for both jettons, one without a pool in no market, a null trader in no traders', async () => {
    const [a, b, pool] = [address('both a'), address('both b'), address('both pool')];
    await write(
      { eventTime: c - 60, sold: a, bought: b, pool, volumeUsd: '3' },
      { eventTime: c - 59, sold: a, bought: nativeAddress, pool: null, trader: null, volumeUsd: '4' },
    );
    const row = await rowsAt('mid');
    expect(windowOf(row(a), 'day')?.slice(0, 12)).toEqual(['0', '0', '2', '0', '1', '0', '0', '0', '1', '0', '0', '0']);
    expect(pair(windowOf(row(b), 'day'), jettonColumns.buy)).toEqual(['1', '0']);
    expect(pair(windowOf(row(b), 'day'), jettonColumns.usdBuy)).toEqual(['3', '0']);
    const market = windowOf(row(a, pool), 'day');
    expect(market?.slice(0, marketColumns.price)).toEqual(['1', '0', '1', '0', '3', '0']);
    expect(windowOf(row(b, pool), 'day')?.slice(0, marketColumns.price)).toEqual(['1', '0', '1', '0', '3', '0']);
  }, 300_000);

  it('know a jetton and a market by a trade that is not retracted', async () => {
    const [jetton, pool] = [address('retracted'), address('retracted pool')];
    const trade = { tx: 'to be retracted', eventTime: c - 40 * day, sold: nativeAddress, bought: jetton, pool };
    await write(trade);
    const before = await rowsAt('mid');
    expect([before(jetton), before(jetton, pool)].every((row) => row !== undefined)).toBe(true);
    await write({ ...trade, deleted: true });
    const after = await rowsAt('mid');
    expect([after(jetton), after(jetton, pool)]).toEqual([undefined, undefined]);
  }, 300_000);
});

describe('a market that is known by its pool’s state alone', () => {
  it('has zeros, no price and its counterpart in every step, and makes no figures of its jetton', async () => {
    const [jetton, pool] = [address('stated'), address('stated pool')].map((one) => one.toLowerCase()) as [
      string,
      string,
    ]; // two names, two addresses
    const known = new KnownFacts(assets);
    known.setSides(pool, { left: 'ton', right: jetton });
    for (const step of ['short', 'mid', 'long'] as const) {
      const row = await rowsAt(step, c, { facts: known.view() });
      expect(row(jetton, pool)?.counterpart).toBe('ton');
      for (const [, ...figures] of row(jetton, pool)?.windows ?? [[]]) {
        expect(figures).toEqual(['0', '0', '0', '0', '0', '0', noPrice, noPrice]);
      }
      expect(row(jetton)).toBeUndefined();
    }
  }, 300_000);
});

describe('prices', () => {
  const jetton = address('priced');
  const pool = address('priced pool');

  it('follow the decimals that are known of a jetton and of the other asset, for current and previous alike', async () => {
    // 2 ton for 1,000,000 raw units two days ago, 3 ton a minute ago
    const buy = { sold: nativeAddress, bought: jetton, pool, amountBought: '1000000', volumeUsd: '8' };
    await write(
      { ...buy, eventTime: c - 2 * day, amountSold: '2000000000' },
      { ...buy, eventTime: c - 60, amountSold: '3000000000' },
    );
    const nine = await rowsAt('mid');
    expect(pair(windowOf(nine(jetton), 'day'), jettonColumns.priceTon)).toEqual([
      ['3000000000000', 9],
      ['2000000000000', 9],
    ]);
    const known: AssetFacts = { ...plain, decimalsOf: (asset) => (asset === jetton.toLowerCase() ? 6 : 9) };
    const six = await rowsAt('mid', c, { facts: known });
    expect(pair(windowOf(six(jetton), 'day'), jettonColumns.priceTon)).toEqual([
      ['300000000000', 11],
      ['200000000000', 11],
    ]);
    expect(pair(windowOf(six(jetton), 'day'), jettonColumns.priceUsd)).toEqual([
      ['800000000000', 11],
      ['800000000000', 11],
    ]);
    expect(pair(windowOf(six(jetton, pool), 'day'), marketColumns.price)).toEqual([
      ['300000000000', 11],
      ['200000000000', 11],
    ]);
    const ton: AssetFacts = { ...plain, decimalsOf: (asset) => (asset === 'ton' ? 10 : 6) };
    const tenth = await rowsAt('mid', c, { facts: ton });
    expect(pair(windowOf(tenth(jetton, pool), 'day'), marketColumns.price)?.[0]).toEqual(['300000000000', 12]);
  }, 300_000);

  it('are against the asset that the pool’s state names, else that of its newest counting leg, at C and C − w alike', async () => {
    const [two, twoPool] = [address('two assets'), address('pool of two assets')];
    const buy = { bought: two, pool: twoPool, amountBought: '1000000000', volumeUsd: '8' };
    await write(
      { ...buy, eventTime: c - 3 * day, sold: usdtAddress, amountSold: '5000000' },
      { ...buy, eventTime: c - 2 * day, sold: nativeAddress, amountSold: '2000000000' },
      { ...buy, eventTime: c - 60, sold: nativeAddress, amountSold: '4000000000' },
    );
    const byLegs = (await rowsAt('mid'))(two, twoPool);
    expect(byLegs?.counterpart).toBe('ton');
    expect(pair(windowOf(byLegs, 'day'), marketColumns.price)).toEqual([
      ['400000000000', 11],
      ['200000000000', 11],
    ]);
    const named: AssetFacts = { ...plain, counterpartOf: () => usdtAddress };
    const byState = (await rowsAt('mid', c, { facts: named }))(two, twoPool);
    expect(byState?.counterpart).toBe(usdtAddress);
    expect(pair(windowOf(byState, 'day'), marketColumns.price)).toEqual([
      ['500000000000', 11],
      ['500000000000', 11],
    ]);
  }, 300_000);

  it('of a jetton that has been silent for weeks stay, while its counts are zero', async () => {
    const [silent, silentPool] = [address('silent'), address('silent pool')];
    await write({ eventTime: c - 50 * day, sold: nativeAddress, bought: silent, pool: silentPool, volumeUsd: '6' });
    for (const step of ['short', 'mid', 'long'] as const) {
      const row = await rowsAt(step);
      for (const [window] of row(silent)?.windows ?? []) {
        const figures = windowOf(row(silent), String(window));
        // 1 ton for 2 jettons; a month ago too
        expect(figures?.slice(jettonColumns.priceTon)).toEqual([
          ['500000000000', 12],
          ['500000000000', 12],
          ['300000000000', 11],
          ['300000000000', 11],
        ]);
        expect(pair(windowOf(row(silent, silentPool), String(window)), marketColumns.price)).toEqual([
          ['500000000000', 12],
          ['500000000000', 12],
        ]);
        expect(figures?.[jettonColumns.buy]).toBe('0');
      }
    }
  }, 300_000);

  it('of a jetton need a quote asset on the other side; its market has one against any asset', async () => {
    const [a, b, abPool] = [address('unpriced a'), address('unpriced b'), address('unpriced pool')];
    await write({
      eventTime: c - 60,
      sold: a,
      bought: b,
      pool: abPool,
      amountSold: '3000000000',
      amountBought: '1000000000',
      volumeUsd: '9',
    });
    const row = await rowsAt('mid');
    expect(windowOf(row(a), 'day')?.slice(jettonColumns.priceTon)).toEqual([noPrice, noPrice, noUsdPrice, noUsdPrice]);
    expect(windowOf(row(b), 'day')?.slice(jettonColumns.priceTon)).toEqual([noPrice, noPrice, noUsdPrice, noUsdPrice]);
    expect(pair(windowOf(row(b, abPool), 'day'), marketColumns.price)).toEqual([['300000000000', 11], noPrice]);
    expect(pair(windowOf(row(a, abPool), 'day'), marketColumns.price)).toEqual([['333333333333', 12], noPrice]);
  }, 300_000);

  it('are set by a trade of a known usd volume only, also where trades of any size count', async () => {
    const [unknown, small] = [address('unknown volume'), address('small volume')];
    await write(
      { eventTime: c - 60, sold: nativeAddress, bought: unknown, volumeUsd: null },
      { eventTime: c - 60, sold: nativeAddress, bought: small, volumeUsd: '0.999999' },
    );
    const one = await rowsAt('mid');
    expect(windowOf(one(small), 'day')?.[jettonColumns.priceTon]).toEqual(noPrice);
    expect(windowOf(one(unknown), 'day')?.[jettonColumns.priceTon]).toEqual(noPrice);
    // The legs of C's own minute are valued with the setting as it is now.
    const settings = { ...prices, priceMinTradeUsd: '0' };
    const any = await rowsAt('mid', c - 17, { settings });
    expect(windowOf(any(small), 'day')?.[jettonColumns.priceTon]).toEqual(noPrice);
    const inside = await rowsAt('mid', c - 59, { settings });
    expect(windowOf(inside(small), 'day')?.[jettonColumns.priceTon]).toEqual(['500000000000', 12]);
    expect(windowOf(inside(unknown), 'day')?.[jettonColumns.priceTon]).toEqual(noPrice);
  }, 300_000);
});

describe('a snapshot', () => {
  it('publishes nothing when the leadership is lost between its rows and its marker', async () => {
    const jetton = address('lost leadership');
    const buy = { sold: nativeAddress, bought: jetton };
    await write({ ...buy, eventTime: c - 60 });
    term += 1;
    const snapshots = new StepSnapshots(store, 'short', term, plain, prices);
    const instant = () => ({
      calculatedAt: c,
      asOf: c,
      positions: new Map([[0, String(offset + 1)]]),
      markedOn: '2026-03-10',
    });
    await snapshots.take(instant(), () => undefined);
    const published = await publishedRows(store, term, 'short');
    await write({ ...buy, eventTime: c - 30 });
    let asked = 0;
    const lost = () => {
      asked += 1;
      if (asked === 3) throw new Error('the leadership is lost');
    };
    await expect(snapshots.take(instant(), lost)).rejects.toThrow('the leadership is lost');
    expect(await publishedRows(store, term, 'short')).toEqual(published);
    // The next one begins anew, and is complete.
    expect(await snapshots.take(instant(), () => undefined)).toMatchObject({ full: true });
    const min15 = windowOf((await publishedRows(store, term, 'short')).get(`${jetton.toLowerCase()}|`), 'min15');
    expect(pair(min15, jettonColumns.buy)).toEqual(['2', '0']);
  }, 300_000);

  it('follows a log that was cut, whose offsets begin anew', async () => {
    const jetton = address('log that was cut');
    const buy = { sold: nativeAddress, bought: jetton, eventTime: c - 60 };
    await write({ ...buy, amountSold: '1000000000' });
    term += 1;
    const snapshots = new StepSnapshots(store, 'short', term, plain, prices);
    const take = (position: number) => {
      const positions = new Map([[0, String(position)]]);
      return snapshots.take({ calculatedAt: c, asOf: c, positions, markedOn: '2026-03-10' }, () => undefined);
    };
    await take(1_000_000);
    await write({ ...buy, amountSold: '3000000000' });
    expect(await take(offset + 1)).toMatchObject({ full: false });
    const min15 = windowOf((await publishedRows(store, term, 'short')).get(`${jetton.toLowerCase()}|`), 'min15');
    // 4 ton for 4 jettons
    expect(min15?.[jettonColumns.priceTon]).toEqual(['100000000000', 11]);
  }, 300_000);

  it('begins anew where more buckets were touched than it is worth following, and gives the same figures', async () => {
    const jetton = address('touched often');
    // Each lies in a minute of its own, and is written twice.
    const trades = Array.from({ length: 10_001 }, (_, index) => ({
      eventTime: c - 60 - index * 60,
      sold: nativeAddress,
      bought: jetton,
    }));
    await write({ eventTime: c - 60, sold: nativeAddress, bought: jetton });
    term += 1;
    const follower = new StepSnapshots(store, 'mid', term, plain, prices);
    const followedTerm = term;
    const take = () => {
      const positions = new Map([[0, String(offset + 1)]]);
      return follower.take({ calculatedAt: c, asOf: c, positions, markedOn: '2026-03-10' }, () => undefined);
    };
    await take();
    await write(...trades.slice(1));
    expect(await take()).toMatchObject({ full: false });
    await write(...trades);
    expect(await take()).toMatchObject({ full: true });
    const followed = await publishedRows(store, followedTerm, 'mid');
    const rows = await rowsAt('mid');
    expect(followed.get(`${jetton}|`.toLowerCase())).toEqual(rows(jetton));
    expect(pair(windowOf(rows(jetton), 'day'), jettonColumns.buy)).toEqual(['2880', '2880']);
  }, 480_000);
});
