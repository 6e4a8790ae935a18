import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineCommand } from '@jetton-analytics/clickhouse';
import { formatInstant, steps, windows } from '@jetton-analytics/figures';
import { JettonMetadata } from '@jetton-analytics/postgres';
import * as fc from 'fast-check';
import { z } from 'zod';
import { materialiseClosed } from '@jetton-analytics/rollups';
import { assetFactsOfSettings } from '../../aggregator/src/snapshots/asset-facts.js';
import { address, assets, nativeAddress } from '../../aggregator/test/feed-messages.js';
import { histories, Scenario } from '../../aggregator/test/scenario.js';
import { type ExplainedStore, newExplainedStore } from './explained-store.js';
import { newDatabase } from './new-database.js';
import { admin, adminHere, type Ended } from './run-command.js';

// 2026-03-10T10:00:17Z: every edge lies inside a minute.
const c = 1_773_136_817;
const jetton = address('explained').toLowerCase();
const pools = [address('first pool').toLowerCase(), address('second pool').toLowerCase()] as const;

let database: Awaited<ReturnType<typeof newDatabase>>;
const stores: ExplainedStore[] = [];
async function newStore(...args: Parameters<typeof newExplainedStore>): Promise<ExplainedStore> {
  const store = await newExplainedStore(...args);
  stores.push(store);
  return store;
}
const settingsOf = (store: ExplainedStore) => ({ ...database.env, ...store.env });
const explain = (store: ExplainedStore, ...args: string[]): Promise<Ended> =>
  adminHere(['explain', ...args, '--attempts', '1', '--json'], settingsOf(store));

beforeAll(async () => {
  database = await newDatabase();
}, 480_000);
afterAll(async () => {
  await Promise.all(stores.map(({ store }) => store.close()));
  await database?.database.destroy();
});

const buy = { sold: nativeAddress, bought: jetton, trader: address('ann') };
/** Two trades in the current hour (one of them twice as dear), one retracted, one in the hour before. */
async function smallLedger(store: ExplainedStore): Promise<void> {
  const retracted = { ...buy, tx: 'retracted', eventTime: c - 30, pool: pools[0], volumeUsd: '7' };
  await store.write(
    { ...buy, eventTime: c - 4_000, pool: pools[0], amountSold: '1000000000', volumeUsd: '3' },
    retracted,
  );
  await store.write(
    { ...buy, eventTime: c - 130, pool: pools[0], amountSold: '2000000000', volumeUsd: '6' },
    { ...buy, eventTime: c - 20, pool: pools[1], amountSold: '6000000000', volumeUsd: '18', trader: address('bob') },
    { ...retracted, deleted: true },
  );
}

const same = (recomputed: object) => ({ recomputed, published: recomputed, agrees: true });

describe('explain', () => {
  it('tells legs, buckets, versions, points and weights behind a window, and their recomputation', async () => {
    const store = await newStore();
    await smallLedger(store);
    await store.take('short', c);
    const ended = await admin(['explain', jetton.toUpperCase(), '--window', 'hour', '--json'], settingsOf(store));
    expect([ended.code, ended.err]).toEqual([0, '']);
    const json = ended.json() as Record<'figures' | 'prices' | 'buckets' | 'legs', unknown[]>;
    expect(json).toMatchObject({
      jetton,
      window: 'hour',
      clock: 'wall',
      calculatedAt: '2026-03-10T10:00:17Z',
      current: { from: '2026-03-10T09:00:17Z', to: '2026-03-10T10:00:17Z' },
      previous: { from: '2026-03-10T08:00:17Z', to: '2026-03-10T09:00:17Z' },
      decimals: { value: 9, source: 'default' },
      snapshot: { term: 1, step: 'short' },
      verdict: 'agrees',
      legCount: 4,
    });
    expect(json.figures).toContainEqual({
      metric: 'transactions',
      ...same({ current: '2', previous: '1', changePercent: '100' }),
    });
    expect(json.figures).toContainEqual({
      metric: 'volume.buyUsd',
      ...same({
        current: { value: '24000000', decimals: 6 },
        previous: { value: '3000000', decimals: 6 },
        changePercent: '700',
        exact: { current: '24', previous: '3' },
      }),
    });
    // Each buys 2 jettons: V/A is 1 ton and 3 ton, so the lighter, older point is further than a factor of 2 away.
    const [now, before] = json.prices as { price: object; points: object[]; poolMinutes: object[] }[];
    expect(now).toMatchObject({
      currency: 'ton',
      at: '2026-03-10T10:00:17Z',
      price: { value: '300000000000', decimals: 11 },
      points: [
        { pool: pools[0], minute: '2026-03-10T09:58:00Z', volume: '2', legs: 1, isMedian: false, isCounted: false },
        { pool: pools[1], minute: '2026-03-10T09:59:00Z', volume: '6', legs: 1, isMedian: true, isCounted: true },
      ],
      poolMinutes: [{ state: 'ok' }, { state: 'ok' }],
    });
    expect(before).toMatchObject({ at: '2026-03-10T09:00:17Z', price: { value: '500000000000', decimals: 12 } });
    expect(json.buckets).toMatchObject([
      { grain: 'minute', start: '2026-03-10T08:53:00Z', legs: 1, epoch: '0', state: 'ok' },
      { grain: 'minute', start: '2026-03-10T09:58:00Z', legs: 1, state: 'ok' },
      { grain: 'minute', start: '2026-03-10T09:59:00Z', legs: 2, state: 'ok' },
      { grain: 'hour', start: '2026-03-10T08:00:00Z', legs: 1, version: null, state: 'missing' },
      { grain: 'hour', start: '2026-03-10T09:00:00Z', legs: 3, version: null, state: 'missing' },
    ]);
    const [bucket] = json.buckets as { version: string; expectedVersion: string }[];
    expect(bucket?.version).toBe(bucket?.expectedVersion);
    expect(json.legs.at(-1)).toMatchObject({
      side: 'buy',
      eventTime: '2026-03-10T09:59:57Z',
      is_trade: 1,
    });
  }, 480_000);

  it('is short for a person: one figure, so many legs, a verdict', async () => {
    const store = await newStore();
    await smallLedger(store);
    await store.take('short', c);
    const args = ['explain', jetton, '--window', 'hour', '--metric', 'priceChange.usd', '--legs', '1'];
    const { out, code } = await adminHere(args, settingsOf(store));
    expect(code).toBe(0);
    expect(out).toContain('verdict   the published figures are what the legs say');
    expect(out).toMatch(/^priceChange\.usd +9 +1\.5 +500 % +9 +1\.5 +yes$/m);
    expect(out).toContain('price in usd at 2026-03-10T10:00:17Z: 9');
    expect(out).not.toContain('price in ton');
    expect(out).toContain('legs in both halves: 4, the newest 1:');
    expect(out.split('\n').filter((line) => /^2026.* buy/.test(line))).toHaveLength(1);
  }, 300_000);

  it('takes the decimals of the metadata, as the calculation does', async () => {
    const token = address('six decimals').toLowerCase();
    const facts = assetFactsOfSettings(assets);
    const store = await newStore({ ...facts, decimalsOf: (asset) => (asset === token ? 6 : facts.decimalsOf(asset)) });
    await store.write({ ...buy, bought: token, eventTime: c - 60, amountBought: '1000000', volumeUsd: '8' });
    await store.take('mid', c);
    expect((await explain(store, token, '--window', 'day')).code).toBe(5);
    const row = { address: token, decimals: 6, earliestRecordS: '1', updateTimeS: '1' };
    await database.database.manager.insert(JettonMetadata, row);
    const ended = await explain(store, token, '--window', 'day');
    expect([ended.code, ended.json()]).toMatchObject([
      0,
      { verdict: 'agrees', decimals: { value: 6, source: 'metadata' } },
    ]);
  }, 480_000);

  it('looks at the snapshot of a former instant, and at none where there is none', async () => {
    const store = await newStore();
    await smallLedger(store);
    await store.take('short', c - 3_000);
    await store.take('short', c);
    const then = await explain(store, jetton, '--window', 'hour', '--at', formatInstant(c - 2_990));
    expect([then.code, then.json()]).toMatchObject([0, { calculatedAt: formatInstant(c - 3_000), verdict: 'agrees' }]);
    const between = await explain(store, jetton, '--window', 'hour', '--at', formatInstant(c - 1_500));
    expect(between.json()).toMatchObject({
      calculatedAt: formatInstant(c - 1_500),
      snapshot: null,
      verdict: 'notPublished',
      notPublished: 'no snapshot of that instant is known',
    });
  }, 480_000);
});

const falsify = defineCommand({
  name: 'falsify',
  sql: `INSERT INTO jetton_trades_per_minute_v1
        SELECT * REPLACE (transactions_buy + 1 AS transactions_buy, version + {added: UInt256} AS version)
        FROM jetton_trades_per_minute_v1 FINAL WHERE minute = {minute: DateTime('UTC')}`,
  params: z.object({ minute: z.int(), added: z.string() }),
});

describe('explain finds', () => {
  it('a figure that is not what the legs say, and the bucket it comes from', async () => {
    const store = await newStore();
    await smallLedger(store);
    const minute = c - 4_000 - ((c - 4_000) % 60);
    await store.store.command(falsify, { minute, added: '1' });
    await store.take('short', c);
    await store.tell(c * 1_000);
    const ended = await explain(store, jetton, '--window', 'hour');
    expect(ended.code).toBe(5);
    const json = ended.json() as { figures: { metric: string; agrees: boolean }[]; buckets: { state: string }[] };
    expect(json).toMatchObject({ verdict: 'differs', changedSince: '0' });
    const off = json.figures.filter(({ agrees }) => !agrees).map(({ metric }) => metric);
    expect(off).toEqual(['transactions', 'transactionsBuy']);
    expect(json.buckets.filter(({ state }) => state !== 'ok' && state !== 'missing')).toMatchObject([
      { grain: 'minute', start: formatInstant(minute), state: 'stale' },
    ]);
    const { out } = await adminHere(['explain', jetton, '--window', 'hour', '--attempts', '2'], settingsOf(store));
    expect(out).toContain('NOT what the legs say');
    expect(out).toMatch(/^transactions +2 +1 +100 % +2 +2 +NO$/m);
  }, 480_000);

  it('a bucket of the right version with other figures', async () => {
    const store = await newStore();
    await smallLedger(store);
    const minute = c - 4_000 - ((c - 4_000) % 60);
    // The epoch of a rebuild is no part of what the legs' versions add up to.
    await store.store.command(falsify, { minute, added: (1n << 192n).toString() });
    await store.take('short', c);
    const json = (await explain(store, jetton, '--window', 'hour')).json();
    expect(json).toMatchObject({ verdict: 'differs', buckets: [{ epoch: '1', state: 'wrong' }, {}, {}, {}, {}] });
  }, 480_000);

  it('no fault in a snapshot that the ledger has got ahead of, and says so', async () => {
    const store = await newStore();
    await smallLedger(store);
    await store.take('short', c);
    await store.write({ ...buy, eventTime: c - 10, pool: pools[0] });
    await store.tell(c * 1_000);
    const ended = await explain(store, jetton, '--window', 'hour');
    expect([ended.code, ended.json()]).toMatchObject([0, { verdict: 'outdated', changedSince: '1' }]);
  }, 480_000);
});

describe('explain refuses', () => {
  it.each([
    [[address('nobody'), '--window', 'hour'], 3, 'no trade of'],
    [[nativeAddress, '--window', 'hour'], 3, 'no jetton'],
    [['EQnonsense', '--window', 'hour'], 2, 'jetton:'],
    [[jetton, '--window', 'year'], 2, 'window'],
    [[jetton], 2, '--window'],
    [[jetton, '--window', 'hour', '--at', 'now'], 2, '--at'],
    [[jetton, '--window', 'hour', '--metric', 'price'], 2, '--metric'],
    [[jetton, '--window', 'day'], 3, 'nothing was calculated yet'],
  ])(
    '%j',
    async (args, code, named) => {
      const store = stores[0] ?? (await newStore());
      const ended = await adminHere(['explain', ...args], settingsOf(store));
      expect(ended.code).toBe(code);
      expect(ended.err).toContain(named);
    },
    300_000,
  );

  it('with an exit code of its own while the store is away', async () => {
    const env = { ...database.env, CLICKHOUSE_URL: 'http://127.0.0.1:1' };
    expect((await adminHere(['explain', jetton, '--window', 'hour'], env)).code).toBe(4);
  }, 300_000);
});

describe('every window of a random ledger', () => {
  it('agrees with its recomputation from the legs, corrections, retractions and other assets included', async () => {
    const property = fc.asyncProperty(histories, async (history) => {
      const store = await newStore();
      const scenario = new Scenario(store.writer, c);
      for (const batch of history) await scenario.write(batch);
      await materialiseClosed(store.store, c, () => undefined);
      for (const step of steps) await store.take(step, c);
      for (const name of ['j0', 'j1']) {
        for (const { name: window } of windows) {
          const ended = await explain(store, address(name), '--window', window);
          const { verdict, figures } = ended.json() as { verdict: string; figures: { agrees: boolean }[] };
          expect({ window, verdict, off: figures.filter(({ agrees }) => !agrees) }).toEqual({
            window,
            verdict: 'agrees',
            off: [],
          });
        }
      }
    });
    // No shrinking: a run takes seconds. The seed of a failure is in its message.
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  }, 600_000);
});
