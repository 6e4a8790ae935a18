import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineQuery } from '@jetton-analytics/clickhouse';
import { compareStates, parsePoolMessage, type PoolState } from '@jetton-analytics/feed';
import * as fc from 'fast-check';
import { z } from 'zod';
import { PoolWriter } from '../src/pools/pool-writer.js';
import { address, assets } from './feed-messages.js';
import { poolMessage, stateOf } from './state-messages.js';
import { newStore } from './store.js';

const recordMs = Date.UTC(2026, 0, 2);
const nowMs = () => recordMs + 5_000;
const owned = () => undefined;
const stateWith = (fields: Readonly<Record<string, unknown>>, timestampMs = recordMs): PoolState =>
  stateOf((message) => parsePoolMessage(message, assets), poolMessage(fields), timestampMs);

const newestRows = defineQuery({
  name: 'newestPools',
  sql: `SELECT pool, project, pool_version, discovered_at_s, left_asset, right_asset, toString(reserves_left) AS left,
          toString(reserves_right) AS right, toString(total_supply) AS supply, toString(tvl_usd) AS usd,
          toString(tvl_ton) AS ton, last_updated_s, is_liquid, lp_fee, protocol_fee, referral_fee,
          toUnixTimestamp64Milli(record_time) AS record_ms, toUnixTimestamp64Milli(written_at) AS written_ms
        FROM pool_states_v1 FINAL WHERE pool IN {pools: Array(String)} ORDER BY pool`,
  params: z.object({ pools: z.array(z.string()) }),
  row: z.object({
    pool: z.string(),
    project: z.string(),
    pool_version: z.string(),
    discovered_at_s: z.int(),
    left_asset: z.string(),
    right_asset: z.string(),
    left: z.string().nullable(),
    right: z.string().nullable(),
    supply: z.string().nullable(),
    usd: z.string().nullable(),
    ton: z.string().nullable(),
    last_updated_s: z.int(),
    is_liquid: z.int().nullable(),
    lp_fee: z.string().nullable(),
    protocol_fee: z.string().nullable(),
    referral_fee: z.string().nullable(),
    record_ms: z.string(),
    written_ms: z.string(),
  }),
});

const history = defineQuery({
  name: 'poolHistory',
  sql: `SELECT last_updated_s, toString(tvl_ton) AS ton FROM pool_state_changes_v1 FINAL
        WHERE pool = {pool: String} ORDER BY last_updated_s, record_time, value_hash`,
  params: z.object({ pool: z.string() }),
  row: z.object({ last_updated_s: z.int(), ton: z.string().nullable() }),
});

let store: ClickHouseWriter;
beforeAll(async () => ({ store } = await newStore()), 120_000);

describe('a pool', () => {
  it('is stored with every field of its newest state, exact, sides unified', async () => {
    const pool = address('every field');
    const big = (2n ** 120n - 1n).toString();
    const state = stateWith({ pool, reserves_left: big, tvl_usd: '999999999999999999.999999999999999999' });
    await new PoolWriter(store, nowMs).write([state], owned);
    expect(await store.query(newestRows, { pools: [state.pool] })).toEqual([
      {
        pool: state.pool,
        project: 'stonfi',
        pool_version: '2',
        discovered_at_s: 1_767_225_600,
        left_asset: address('jetton').toLowerCase(),
        right_asset: 'ton',
        left: big,
        right: '7000000',
        supply: '9',
        usd: '999999999999999999.999999999999999999',
        ton: '4',
        last_updated_s: 1_767_312_000,
        is_liquid: 1,
        lp_fee: '0.003',
        protocol_fee: null,
        referral_fee: null,
        record_ms: String(recordMs),
        written_ms: String(recordMs + 5_000),
      },
    ]);
  }, 300_000);

  it('keeps what is unknown null, and its history in order of last_updated', async () => {
    const pool = address('unknowns');
    const none = { project: null, version: null, discovered_at: null, jetton_left: null, jetton_right: null };
    const nulls = { reserves_left: null, reserves_right: null, total_supply: null, tvl_usd: null, tvl_ton: null };
    const writer = new PoolWriter(store, nowMs);
    await writer.write(
      [stateWith({ pool, ...none, ...nulls, is_liquid: null, last_updated: null, lp_fee: null })],
      owned,
    );
    expect(await store.query(newestRows, { pools: [pool.toLowerCase()] })).toMatchObject([
      { project: '', left_asset: '', left: null, right: null, supply: null, usd: null, is_liquid: null, lp_fee: null },
    ]);
    await writer.write([stateWith({ pool, tvl_ton: '2', last_updated: 20 })], owned);
    await writer.write([stateWith({ pool, tvl_ton: '1', last_updated: 10 })], owned);
    expect(await store.query(history, { pool: pool.toLowerCase() })).toEqual([
      { last_updated_s: 0, ton: null },
      { last_updated_s: 10, ton: '1' },
      { last_updated_s: 20, ton: '2' },
    ]);
    expect(await store.query(newestRows, { pools: [pool.toLowerCase()] })).toMatchObject([{ ton: '2' }]);
  }, 300_000);
});

describe('the newest state of a pool', () => {
  it('is the same in whatever order, batches and repeats two writers bring it, also where only bytes differ', async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    console.log(`pool writer: seed ${seed}`);
    let run = 0;
    const message = fc.record({
      pool: fc.nat(2),
      last_updated: fc.constantFrom<number | null>(null, 5, 6),
      later: fc.nat(1),
      tvl_ton: fc.constantFrom('1', '2', '10', '9', '1E1'),
    });
    const delivery = fc.record({
      messages: fc.array(message, { minLength: 1, maxLength: 12 }),
      order: fc.infiniteStream(fc.nat(99)),
      repeats: fc.nat(4),
      batch: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(delivery, async ({ messages, order, repeats, batch }) => {
        run += 1;
        const states = messages.map(({ pool, later, ...fields }) =>
          stateWith({ ...fields, pool: address(`run ${run} pool ${pool}`) }, recordMs + later),
        );
        const delivered = [...states, ...states.slice(0, repeats)]
          .map((state) => ({ state, rank: order.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ state }) => state);
        const writers = [new PoolWriter(store, nowMs), new PoolWriter(store, nowMs)];
        const work = writers.map(async (writer, index) => {
          const own = delivered.filter((_, place) => place % 2 === index);
          for (let at = 0; at < own.length; at += batch) await writer.write(own.slice(at, at + batch), owned);
        });
        await Promise.all(work);
        const pools = [...new Set(states.map(({ pool }) => pool))].sort();
        const expected = pools.map((pool) => {
          const [newest] = states.filter((state) => state.pool === pool).sort((a, b) => compareStates(b, a));
          return { pool, ton: newest?.tvlTon, last_updated_s: newest?.lastUpdated };
        });
        expect(await store.query(newestRows, { pools })).toMatchObject(expected);
      }),
      { numRuns: 25, seed },
    );
  }, 600_000);
});
