import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineCommand, defineQuery } from '@jetton-analytics/clickhouse';
import { type BalanceState, newestStates, parseBalanceMessage } from '@jetton-analytics/feed';
import * as fc from 'fast-check';
import { z } from 'zod';
import { BalanceWriter } from '../src/balances/balance-writer.js';
import { address, assets } from './feed-messages.js';
import { balanceMessage, stateOf } from './state-messages.js';
import { newStore } from './store.js';

const recordMs = Date.UTC(2026, 0, 2);
const owned = () => undefined;
const burnt = address('burnt');
const options = { burnAddresses: [burnt.toLowerCase()], nowMs: () => recordMs + 5_000 };
const stateWith = (fields: Readonly<Record<string, unknown>>, timestampMs = recordMs): BalanceState =>
  stateOf((message) => parseBalanceMessage(message, assets), balanceMessage(fields), timestampMs);

const buckets = defineQuery({
  name: 'holderBuckets',
  sql: `SELECT asset, shard, toUInt32(holders) AS holders, toString(balance_sum) AS total, toString(burned_sum) AS burned,
          arrayMap(one -> toString(one), top_ten) AS greatest, newest_timestamp_s, toString(version) AS row_version
        FROM jetton_holder_buckets_v1 FINAL WHERE asset IN {assets: Array(String)} ORDER BY asset, shard`,
  params: z.object({ assets: z.array(z.string()) }),
  row: z.object({
    asset: z.string(),
    shard: z.int(),
    holders: z.int(),
    total: z.string(),
    burned: z.string(),
    greatest: z.array(z.string()),
    newest_timestamp_s: z.int(),
    row_version: z.string(),
  }),
});

const beginRebuild = defineCommand({
  name: 'beginRebuild',
  sql: `INSERT INTO rebuild_epochs_v1 (epoch, started_at, reason) SELECT {epoch: UInt64}, now(), 'test'`,
  params: z.object({ epoch: z.int() }),
});

const sum = (list: readonly BalanceState[]) => list.reduce((total, { amount }) => total + amount, 0n);
const ownerOf = (index: number) => `0:a${index.toString(16).padStart(63, '0')}`;

const isBurnt = ({ owner }: BalanceState) => owner.endsWith(`:${'0'.repeat(64)}`) || owner === burnt.toLowerCase();

/** What the buckets must say, computed from all messages ever sent. */
function naiveBuckets(states: readonly BalanceState[]) {
  const newest = newestStates(states, ({ asset, owner }) => `${asset}|${owner}`).values();
  const grouped = Map.groupBy(newest, ({ asset, shard }) => `${asset}|${String(shard).padStart(2, '0')}`);
  return [...grouped]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, rows]) => {
      const held = rows.filter((row) => row.amount > 0n && !isBurnt(row)).map(({ amount }) => amount);
      return {
        asset: rows[0]?.asset,
        shard: rows[0]?.shard,
        holders: held.length,
        total: String(sum(rows)),
        burned: String(sum(rows.filter(isBurnt))),
        greatest: held
          .sort((a, b) => (a < b ? 1 : -1))
          .slice(0, 10)
          .map(String),
        newest_timestamp_s: Math.max(...rows.map(({ timestamp }) => timestamp)),
      };
    });
}

let store: ClickHouseWriter;
beforeAll(async () => ({ store } = await newStore()), 120_000);

describe('the holders of a jetton', () => {
  it('are owners above 0 without burn addresses; sums hold everybody; the ten greatest are exact', async () => {
    const asset = address('holders');
    const big = 2n ** 120n - 1n;
    const states = [
      ...Array.from({ length: 14 }, (_, index) =>
        stateWith({ asset, address: ownerOf(index + 1), amount: String(big - BigInt(index)) }),
      ),
      stateWith({ asset, address: ownerOf(20), amount: '0' }),
      stateWith({ asset, address: `0:${'0'.repeat(64)}`, amount: '77' }),
      stateWith({ asset, address: `-1:${'0'.repeat(64)}`, amount: '11' }),
      stateWith({ asset, address: burnt, amount: '5' }),
    ];
    await new BalanceWriter(store, options).write(states, owned);
    const found = await store.query(buckets, { assets: [asset.toLowerCase()] });
    expect(found).toMatchObject(naiveBuckets(states));
    expect(found.map(({ shard }) => shard)).toContain(0xa);
    expect(found.find(({ shard }) => shard === 0xa)).toMatchObject({ holders: 14, greatest: { length: 10 } });
  }, 300_000);

  it('become a row of zeros when the last one sells', async () => {
    const asset = address('emptied');
    const writer = new BalanceWriter(store, options);
    await writer.write([stateWith({ asset, amount: '9', lt: 1 })], owned);
    await writer.write([stateWith({ asset, amount: '0', lt: 2 })], owned);
    expect(await store.query(buckets, { assets: [asset.toLowerCase()] })).toMatchObject([
      { holders: 0, total: '0', greatest: [] },
    ]);
  }, 300_000);

  it('are right for the greatest logical time there is, given as a number that no double holds', async () => {
    const asset = address('lt');
    const text = (lt: string, amount: string) =>
      JSON.stringify(balanceMessage({ asset, amount, lt: 0 })).replace('"lt":0', `"lt":${lt}`);
    const states = [
      ['18446744073709551615', '3'],
      ['18446744073709551614', '2'],
    ].map(([lt = '', amount = '']) => {
      const outcome = parseBalanceMessage({ value: Buffer.from(text(lt, amount)), timestampMs: recordMs }, assets);
      if (outcome.kind !== 'state') throw new Error(outcome.reason);
      return outcome.state;
    });
    for (const state of states) await new BalanceWriter(store, options).write([state], owned);
    expect(await store.query(buckets, { assets: [asset.toLowerCase()] })).toMatchObject([{ total: '3' }]);
  }, 300_000);

  it('are the same in whatever order, batches and repeats two writers bring them, also where only bytes differ', async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    console.log(`balance writer: seed ${seed}`);
    let run = 0;
    const message = fc.record({
      owner: fc.constantFrom('0:0' + 'a'.repeat(63), `0:0${'b'.repeat(63)}`, `-1:${'0'.repeat(64)}`, burnt),
      asset: fc.nat(1),
      lt: fc.constantFrom(5, 6),
      later: fc.nat(1),
      amount: fc.constantFrom('0', '9', '10', '1E2', '100'),
      timestamp: fc.constantFrom(100, 200),
    });
    const delivery = fc.record({
      messages: fc.array(message, { minLength: 1, maxLength: 14 }),
      order: fc.infiniteStream(fc.nat(99)),
      repeats: fc.nat(4),
      batch: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(delivery, async ({ messages, order, repeats, batch }) => {
        run += 1;
        const states = messages.map(({ owner, asset, later, ...fields }) =>
          stateWith({ ...fields, address: owner, asset: address(`run ${run} asset ${asset}`) }, recordMs + later),
        );
        const delivered = [...states, ...states.slice(0, repeats)]
          .map((state) => ({ state, rank: order.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ state }) => state);
        const work = [0, 1].map(async (index) => {
          const writer = new BalanceWriter(store, options);
          const own = delivered.filter((_, place) => place % 2 === index);
          for (let at = 0; at < own.length; at += batch) await writer.write(own.slice(at, at + batch), owned);
        });
        await Promise.all(work);
        const names = [...new Set(states.map(({ asset }) => asset))];
        expect(await store.query(buckets, { assets: names })).toMatchObject(naiveBuckets(states));
      }),
      { numRuns: 25, seed },
    );
  }, 600_000);

  it('rise in version above all else with a rebuild’s epoch, which every recomputation reads', async () => {
    const asset = address('epoch');
    const writer = new BalanceWriter(store, options);
    await writer.write([stateWith({ asset, lt: 7 })], owned);
    await store.command(beginRebuild, { epoch: 3 });
    await writer.write([stateWith({ asset, lt: 7 })], owned);
    const [row] = await store.query(buckets, { assets: [asset.toLowerCase()] });
    expect(BigInt(row?.row_version ?? 0) >> 192n).toBe(3n);
  }, 300_000);
});
