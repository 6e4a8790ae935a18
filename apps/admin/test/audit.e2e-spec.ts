import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineCommand } from '@jetton-analytics/clickhouse';
import { materialiseClosed } from '@jetton-analytics/rollups';
import { z } from 'zod';
import { address, nativeAddress } from '../../aggregator/test/feed-messages.js';
import { type ExplainedStore, newExplainedStore } from './explained-store.js';
import { admin, adminHere } from './run-command.js';

// 2026-03-10T10:00:17Z
const c = 1_773_136_817;
const stores: ExplainedStore[] = [];
afterAll(() => Promise.all(stores.map(({ store }) => store.close())));

/** Trades of three days, materialised, with snapshots at C. */
async function newLedger(): Promise<ExplainedStore> {
  const store = await newExplainedStore();
  stores.push(store);
  const trades = Array.from({ length: 60 }, (_, n) => ({
    sold: nativeAddress,
    bought: address(`jetton ${n % 3}`),
    pool: n % 4 === 0 ? null : address(`pool ${n % 2}`),
    eventTime: c - 120 - n * 4_000,
    volumeUsd: String(n),
  }));
  await store.write(...trades, {
    ...(trades[7] ?? trades[0]),
    sold: nativeAddress,
    deleted: true,
  } as (typeof trades)[0]);
  for (const _ of ['hours', 'days']) await materialiseClosed(store.store, c, () => undefined);
  await store.take('short', c);
  return store;
}
const command = (sql: string) => defineCommand({ name: 'spoil', sql, params: z.object({}) });
const minutes = 'jetton_trades_per_minute_v1';
const run = (store: ExplainedStore, ...args: string[]) =>
  adminHere(['audit', '--settle', '1', '--buckets', '60', '--json', ...args], store.env);

interface AuditReport {
  readonly audited: Record<string, number>;
  readonly mismatches: { grain: string; kind: string; state: string }[];
}
const states = (json: unknown) =>
  new Set((json as AuditReport).mismatches.map(({ grain, kind, state }) => `${kind} ${grain} ${state}`));

let sound: ExplainedStore;
beforeAll(async () => {
  sound = await newLedger();
}, 480_000);

describe('audit', () => {
  it('finds nothing in what the aggregator wrote, and names its seed', async () => {
    const ended = await admin(['audit', '--seed', 'one', '--json'], sound.env);
    expect([ended.code, ended.json()]).toMatchObject([0, { seed: 'one', draws: 200, mismatches: [] }]);
    const { audited } = ended.json() as AuditReport;
    expect(audited['minute']).toBeGreaterThan(60);
    expect(audited['hour']).toBeGreaterThan(40);
    expect(audited['day']).toBeGreaterThan(5);
    const text = await admin(['audit', '--buckets', '10', '--seed', 'one'], sound.env);
    expect(text.out).toMatch(/^seed +one\nbetween .*\naudited .*\nmismatches +0\n$/);
  }, 300_000);

  it.each([
    [
      'a sum that is wrong at the right version',
      `INSERT INTO ${minutes} SELECT * REPLACE (volume_usd_buy + 1 AS volume_usd_buy) FROM ${minutes} FINAL`,
      'jetton minute wrong',
    ],
    [
      'traders that are wrong in a pool',
      `INSERT INTO pool_trades_per_minute_v1 SELECT * REPLACE (arrayReduce('uniqExactState', ['a', 'b']) AS traders)
       FROM pool_trades_per_minute_v1 FINAL`,
      'pool minute wrong',
    ],
    ['rows that are not there', `TRUNCATE TABLE ${minutes}`, 'jetton minute missing'],
    [
      'legs that never came to their buckets',
      `INSERT INTO jetton_legs_v1 SELECT * REPLACE (version + bitShiftLeft(toUInt256(1), 113) AS version) FROM jetton_legs_v1 FINAL`,
      'jetton minute stale',
    ],
    [
      'buckets of no leg',
      `INSERT INTO pool_trades_per_minute_v1 SELECT * REPLACE (concat(pool, 'x') AS pool) FROM pool_trades_per_minute_v1 FINAL`,
      'pool minute orphan',
    ],
    [
      'an hour that does not hold its minutes though its version says so',
      `INSERT INTO jetton_trades_per_hour_v1 SELECT * REPLACE (transactions_buy + 1 AS transactions_buy)
       FROM jetton_trades_per_hour_v1 FINAL`,
      'jetton hour wrong',
    ],
  ])(
    'finds %s',
    async (_what, sql, state) => {
      const store = await newLedger();
      await store.store.command(command(sql), {});
      const ended = await run(store);
      expect(ended.code).toBe(1);
      expect(states(ended.json())).toContain(state);
    },
    300_000,
  );

  it('draws the same buckets for the same seed, and within the range asked for', async () => {
    const audited = async (...args: string[]) => ((await run(sound, ...args)).json() as AuditReport).audited;
    const first = await audited('--buckets', '30', '--seed', 'a');
    expect(await audited('--buckets', '30', '--seed', 'a')).toEqual(first);
    const range = ['--from', '2026-03-10T09:00:00Z', '--to', '2026-03-10T10:00:00Z'];
    expect(await audited(...range)).toEqual({ minute: 2, hour: 0, day: 0 });
    const none = await run(sound, '--from', '2027-01-01T00:00:00Z');
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('nothing of what can be audited')]);
  }, 300_000);
});
