import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineInsert } from '@jetton-analytics/clickhouse';
import { loadSettings } from '@jetton-analytics/service';
import * as fc from 'fast-check';
import { SnapshotSeeder } from '../../../packages/read-model/test/seed-snapshots.js';
import { Env } from '../src/env.js';
import { HistoryStore } from '../src/history/history-store.js';
import { LastTrades } from '../src/markets/last-trades.js';

const hex = (digit: string) => digit.repeat(64);
const jetton = `0:${hex('a')}`;
const pools = ['0', '1', '2', '3', '4'].map((digit) => `0:${hex(digit)}`);
const [, , , old = '', never = ''] = pools;
// 2026-03-10T10:00:17Z
const now = 1_773_136_817;
const day = 86_400;
const keptAt = now - 400 * day;

type LegRow = readonly [number, string, string, string, string, number, string, string, string, string, number, string];
const insertLegs = defineInsert<LegRow>({
  name: 'insertLegs',
  table: 'jetton_legs_v1',
  columns: [
    'minute',
    'jetton',
    'pool',
    'event_id',
    'side',
    'event_time',
    'counter_asset',
    'amount',
    'counter_amount',
    'tx_hash',
    'is_trade',
    'version',
  ],
});
const insertMinutes = defineInsert<readonly [number, string, string, string, string]>({
  name: 'insertMinutes',
  table: 'pool_trades_per_minute_v1',
  columns: ['minute', 'jetton', 'pool', 'transactions_sell', 'version'],
});
const insertKept = defineInsert<readonly [string, string, number]>({
  name: 'insertKept',
  table: 'kept_last_trades_v1',
  columns: ['jetton', 'pool', 'last_trade_s'],
});

interface Trade {
  readonly at: number;
  readonly pool: string;
  readonly isRetracted: boolean;
}
const trade = fc.record<Trade>({
  at: fc.oneof(
    fc.integer({ min: now - 90, max: now + 30 }),
    fc.integer({ min: now - 3 * day, max: now }),
    fc.integer({ min: now - 90 * day, max: now }),
  ),
  pool: fc.constantFrom(...pools.slice(0, 3)),
  isRetracted: fc.boolean(),
});
const minuteOf = (at: number) => at - (at % 60);

const seed = Number(process.hrtime.bigint() % 1_000_000n);

describe(`when markets were traded last, seed ${seed}`, () => {
  let seeder: SnapshotSeeder;
  let store: HistoryStore;
  let lastTrades: LastTrades;
  let trades: readonly Trade[];
  beforeAll(async () => {
    seeder = await SnapshotSeeder.create();
    const settings = loadSettings(Env, {
      ...seeder.settings,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      CURSOR_SECRET: 'signs the cursors of this spec only, nothing else',
    });
    store = new HistoryStore(settings);
    lastTrades = new LastTrades(store, settings);
    trades = fc.sample(fc.array(trade, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed })[0] ?? [];
    const legOf = ({ at, pool }: Trade, index: number, isTrade: number, version: string): LegRow => {
      const id = hex('0').slice(6) + String(index).padStart(6, '0');
      return [minuteOf(at), jetton, pool, id, 'sell', at, 'ton', '1', '1', id, isTrade, version];
    };
    await seeder.writer.insert(
      insertLegs,
      trades.map((one, index) => legOf(one, index, 1, '1')),
    );
    await seeder.writer.insert(
      insertLegs,
      trades.flatMap((one, index) => (one.isRetracted ? [legOf(one, index, 0, '2')] : [])),
    );
    // Minutes as they were before the retractions, and after them: some are empty then.
    const minutes = (version: string, holding: readonly Trade[]) =>
      seeder.writer.insert(
        insertMinutes,
        trades.map(({ at, pool }) => {
          const same = holding.filter((one) => one.pool === pool && minuteOf(one.at) === minuteOf(at));
          return [minuteOf(at), jetton, pool, String(same.length), version] as const;
        }),
      );
    await minutes('1', trades);
    await minutes(
      '2',
      trades.filter(({ isRetracted }) => !isRetracted),
    );
    await seeder.writer.insert(insertKept, [
      [jetton, old, keptAt],
      [jetton, pools[0] ?? '', keptAt + 1],
      [jetton, old, keptAt - 5],
    ]);
  }, 300_000);
  afterAll(async () => {
    await store?.onApplicationShutdown();
    await seeder?.close();
  });

  it('is the newest trade before the instant that was not retracted, be it kept from a day that was dropped', async () => {
    for (const before of [
      now,
      now - 17,
      now + 1,
      now - 40,
      minuteOf(now),
      now - 2 * day,
      now - 89 * day,
      keptAt + 99,
    ]) {
      const expected = new Map([
        [pools[0] ?? '', keptAt + 1],
        [old, keptAt],
      ]);
      for (const { at, pool, isRetracted } of trades) {
        if (!isRetracted && at < before) expected.set(pool, Math.max(at, expected.get(pool) ?? 0));
      }
      const found = await lastTrades.of(jetton, pools, before);
      expect([before, found]).toEqual([before, expected]);
      expect(found.has(never)).toBe(false);
    }
    expect(await lastTrades.of(jetton, [], now)).toEqual(new Map());
    expect(await lastTrades.of(`0:${hex('b')}`, pools, now)).toEqual(new Map());
  }, 300_000);
});
