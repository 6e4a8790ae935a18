import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineCommand, defineQuery } from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import { EpochGuard, materialiseClosed, rebuild } from '@jetton-analytics/rollups';
import { z } from 'zod';
import { TradeWriter } from '../src/trades/trade-writer.js';
import { address, assets, ledgerTrade, nativeAddress, type TradeFields } from './feed-messages.js';
import { newStore, prices } from './store.js';

// 2026-01-01T10:00:00Z
const start = 1_767_261_600;
const jetton = address('rebuilt');
const options = { ...prices, by: 'spec', reason: 'spec', nowS: start };
const none = z.object({});

/** Of every minute bucket: its legs and volume, the low part of its version, and the same from the ledger. */
const compared = (kind: 'jetton' | 'pool') => {
  const keys = kind === 'jetton' ? 'minute, jetton' : 'minute, jetton, pool';
  return defineQuery({
    name: 'compared',
    sql: `SELECT countIf(stored != ledger) AS differing, count() AS buckets, min(bucket_epoch) AS least, max(bucket_epoch) AS greatest
          FROM (
            SELECT ${keys}, (toUInt64(transactions_buy + transactions_sell), volume_usd_buy + volume_usd_sell,
                bitAnd(version, bitShiftLeft(toUInt256(1), 192) - 1)) AS stored,
              toInt32(bitShiftRight(version, 192)) AS bucket_epoch
            FROM ${kind}_trades_per_minute_v1 FINAL) AS r
          FULL OUTER JOIN (
            SELECT ${keys}, (countIf(is_trade = 1), sumIf(ifNull(volume_usd, 0), is_trade = 1), sum(version)) AS ledger
            FROM jetton_legs_v1 FINAL GROUP BY ${keys}) AS l USING (${keys})`,
    params: none,
    row: z.object({
      differing: z.string(),
      buckets: z.string(),
      least: z.int(),
      greatest: z.int(),
    }),
  });
};
const comparison = { jetton: compared('jetton'), pool: compared('pool') };

const spoil = defineCommand({
  name: 'spoil',
  sql: `INSERT INTO jetton_trades_per_minute_v1
        SELECT * REPLACE (transactions_buy + 7 AS transactions_buy) FROM jetton_trades_per_minute_v1 FINAL`,
  params: none,
});
const keepCopy = defineCommand({
  name: 'keepCopy',
  sql: 'CREATE TABLE old_minutes ENGINE = Memory AS SELECT * FROM jetton_trades_per_minute_v1 FINAL',
  params: none,
});
const writeCopyLate = defineCommand({
  name: 'writeCopyLate',
  sql: 'INSERT INTO jetton_trades_per_minute_v1 SELECT * FROM old_minutes',
  params: none,
});
const beginEpoch = defineCommand({
  name: 'beginEpoch',
  sql: `INSERT INTO rebuild_epochs_v1 (epoch, started_at, reason) SELECT max(epoch) + 1, now(), 'spec' FROM rebuild_epochs_v1`,
  params: none,
});
const coarse = defineQuery({
  name: 'coarse',
  sql: `SELECT (SELECT sum(transactions_buy + transactions_sell) FROM jetton_trades_per_hour_v1 FINAL) AS hours,
          (SELECT sum(transactions_buy + transactions_sell) FROM jetton_trades_per_day_v1 FINAL) AS days,
          (SELECT sum(transactions_buy + transactions_sell) FROM jetton_trades_per_minute_v1 FINAL) AS minutes`,
  params: none,
  row: z.object({ hours: z.string(), days: z.string(), minutes: z.string() }),
});
const markT = defineCommand({
  name: 'markT',
  sql: `INSERT INTO snapshot_markers_v1 (term, step, version, calculated_at, as_of, row_count, input_position, marked_on)
        VALUES (1, 'short', 1, '2026-01-03 00:00:00', '2026-01-03 00:00:00', 0, 0, '2026-01-03')`,
  params: none,
});

const open: ClickHouseWriter[] = [];
async function newLedger() {
  const made = await newStore();
  open.push(made.store);
  return made;
}
beforeAll(() => newStore().then(({ store }) => open.push(store)), 120_000);
afterAll(() => Promise.all(open.map((store) => store.close())));

let offset = 0;
async function write(writer: TradeWriter, trades: readonly TradeFields[], partition = 0): Promise<void> {
  offset += 1;
  const legs = trades.flatMap((fields) => legsOf(ledgerTrade(fields, (start + 1_000_000) * 1_000 + offset), assets));
  await writer.write({ partition, lastOffset: String(offset), legs, assertOwned: () => undefined });
}
const trade = (n: number): TradeFields => ({
  tx: `trade ${n}`,
  eventTime: start + (n % 40) * 97,
  sold: nativeAddress,
  bought: n % 3 === 0 ? address('another') : jetton,
  pool: address(`pool ${n % 2}`),
  trader: address(`trader ${n % 5}`),
  volumeUsd: String(n),
});
const trades = (count: number, from = 0) => Array.from({ length: count }, (_, n) => trade(from + n));
const same = { differing: '0' };

describe('rebuild', () => {
  it('brings every bucket of the range to what the ledger says, hours and days too', async () => {
    const { store, writer } = await newLedger();
    await write(writer, trades(60));
    await store.command(spoil, {});
    await store.command(markT, {});
    await materialiseClosed(store, start + 2 * 86_400, () => undefined);
    const [bad] = await store.query(comparison.jetton, {});
    expect(Number(bad?.differing)).toBeGreaterThan(20);
    const range = { from: start - 86_400, to: start + 86_400 };
    expect(await rebuild(store, range, options)).toMatchObject({ epoch: 1n, legs: 60n, hours: [start, start + 3_600] });
    for (const kind of ['jetton', 'pool'] as const) {
      expect((await store.query(comparison[kind], {}))[0]).toMatchObject({ ...same, least: 1, greatest: 1 });
    }
    expect(await store.query(coarse, {})).toEqual([{ hours: '60', days: '60', minutes: '60' }]);
    // Another rebuild, and trades after it, go on from there.
    expect(await rebuild(store, range, options)).toMatchObject({ epoch: 2n });
    await write(writer, trades(60, 30));
    expect((await store.query(comparison.jetton, {}))[0]).toMatchObject({ ...same, greatest: 2 });
  }, 300_000);

  it('leaves other jettons and other times alone', async () => {
    const { store, writer } = await newLedger();
    await write(writer, trades(60));
    await store.command(spoil, {});
    const before = Number((await store.query(comparison.jetton, {}))[0]?.differing);
    await rebuild(store, { from: start, to: start + 1_200, jetton: jetton.toLowerCase() }, options);
    const after = Number((await store.query(comparison.jetton, {}))[0]?.differing);
    expect(after).toBeLessThan(before);
    expect(after).toBeGreaterThan(0);
    await rebuild(store, { from: start, to: start + 86_400, jetton: jetton.toLowerCase() }, options);
    expect((await store.query(comparison.jetton, {}))[0]).toMatchObject({ least: 0, greatest: 2 });
  }, 300_000);

  it('is not undone by a writer that computed before it and writes after it', async () => {
    const { store, writer } = await newLedger();
    await write(writer, trades(40));
    await store.command(keepCopy, {});
    await write(writer, trades(40, 20));
    await rebuild(store, { from: start, to: start + 86_400 }, options);
    await store.command(writeCopyLate, {});
    expect((await store.query(comparison.jetton, {}))[0]).toMatchObject({ ...same, least: 1 });
  }, 300_000);

  it('loses nothing of what several writers write while rebuilds run one over the other', async () => {
    const { store, writer } = await newLedger();
    const writers = [writer, ...[1, 2].map(() => new TradeWriter(store, writerOptions))];
    const writing = writers.map(async (one, index) => {
      for (let batch = 0; batch < 25; batch += 1) await write(one, trades(12, batch * 7 + index * 3), index);
    });
    const rebuilding = [0, 1].map(async (index) => {
      for (let round = 0; round < 8; round += 1) {
        // Half of the rebuilds leave half of the buckets out: those must not be harmed by the new epoch either.
        await rebuild(store, { from: start, to: start + (index === 0 ? 86_400 : 1_800) }, options);
      }
    });
    await Promise.all([...writing, ...rebuilding]);
    for (const kind of ['jetton', 'pool'] as const) {
      expect((await store.query(comparison[kind], {}))[0]).toMatchObject(same);
    }
  }, 480_000);
});

const writerOptions = { ...prices, legsPerRoundMax: 10_000, nowMs: () => Date.UTC(2026, 0, 2) };

describe('a recomputation during which a rebuild begins', () => {
  it('is repeated, since it may have seen an older ledger than its epoch says', async () => {
    const { store } = await newLedger();
    const guard = new EpochGuard(store);
    let runs = 0;
    await guard.run(async () => {
      runs += 1;
      if (runs <= 2) await store.command(beginEpoch, {});
    });
    expect(runs).toBe(3);
    await guard.run(async () => void (runs += 1));
    expect(runs).toBe(4);
    // A rebuild between two recomputations: the second one began after it, but cannot know.
    await store.command(beginEpoch, {});
    await guard.run(async () => void (runs += 1));
    expect(runs).toBe(6);
  }, 300_000);
});
