import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineCommand } from '@jetton-analytics/clickhouse';
import { legsOf } from '@jetton-analytics/feed';
import { seededRandom } from '@jetton-analytics/rollups';
import { z } from 'zod';
import { BucketAudit } from '../src/audit/bucket-audit.js';
import { address, assets, ledgerTrade, nativeAddress } from './feed-messages.js';
import { newStore, prices } from './store.js';

// 2026-01-01T10:00:00Z
const start = 1_767_261_600;
const settleMs = 120_000;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const command = (sql: string) => defineCommand({ name: 'spoil', sql, params: z.object({}) });
const mark = command(`INSERT INTO snapshot_markers_v1
  (term, step, version, calculated_at, as_of, row_count, input_position, marked_on)
  VALUES (1, 'short', 1, '2026-01-01 10:35:00', '2026-01-01 10:35:00', 0, 0, '2026-01-03')`);
const newLegs = command(`INSERT INTO jetton_legs_v1
  SELECT * REPLACE (version + bitShiftLeft(toUInt256(1), 113) AS version) FROM jetton_legs_v1 FINAL`);

type Store = Awaited<ReturnType<typeof newStore>>;
const open: Store[] = [];
let offset = 0;
async function write({ writer }: Store): Promise<void> {
  offset += 1;
  const legs = Array.from({ length: 20 }, (_, n) =>
    ledgerTrade({ tx: `trade ${n}`, eventTime: start + n * 97, sold: nativeAddress, bought: address('audited') }),
  ).flatMap((trade) => legsOf(trade, assets));
  await writer.write({ partition: 0, lastOffset: String(offset), legs, assertOwned: () => undefined });
}
async function newLedger(): Promise<Store> {
  const made = await newStore();
  open.push(made);
  await write(made);
  await made.store.command(mark, {});
  return made;
}
beforeAll(() => newLedger().then(() => undefined), 120_000);
afterAll(() => Promise.all(open.map(({ store }) => store.close())));

function auditOf({ store }: Store) {
  const state = { audited: 0, mismatches: [] as string[], nowMs: 0 };
  const audit = new BucketAudit({
    store,
    prices,
    draws: 40,
    settleMs,
    metrics: {
      audited: (buckets) => (state.audited += buckets.length),
      mismatch: (bucket) => state.mismatches.push(`${bucket.kind} ${bucket.grain} ${bucket.start} ${bucket.state}`),
    },
    logger: silent,
    random: seededRandom('audit'),
    elapsedMs: () => state.nowMs,
  });
  return { audit, state };
}

describe('the audit of buckets', () => {
  it('finds nothing in what was written as it should be', async () => {
    const { audit, state } = auditOf(await newLedger());
    await audit.round();
    expect(state.mismatches).toEqual([]);
    expect(state.audited).toBeGreaterThan(20);
  }, 300_000);

  it('gives trades that are in the ledger only the time to come to their buckets', async () => {
    const made = await newLedger();
    const { audit, state } = auditOf(made);
    await made.store.command(newLegs, {});
    await audit.round();
    expect(state.mismatches).toEqual([]);
    // The redelivery: it recomputes the buckets, whatever the ledger has got.
    await write(made);
    state.nowMs = settleMs;
    await audit.round();
    expect(state.mismatches).toEqual([]);
  }, 300_000);

  it('counts a bucket that stays behind, once', async () => {
    const made = await newLedger();
    const { audit, state } = auditOf(made);
    await made.store.command(newLegs, {});
    await audit.round();
    state.nowMs = settleMs - 1;
    await audit.round();
    expect(state.mismatches).toEqual([]);
    state.nowMs = settleMs;
    await audit.round();
    const counted = state.mismatches.length;
    expect(counted).toBeGreaterThan(10);
    expect(new Set(state.mismatches).size).toBe(counted);
    expect(state.mismatches.every((one) => one.endsWith('stale'))).toBe(true);
    state.nowMs = settleMs * 3;
    await audit.round();
    await audit.round();
    expect(new Set(state.mismatches).size).toBe(state.mismatches.length);
  }, 300_000);

  it('counts other figures at the right version at once', async () => {
    const made = await newLedger();
    const { audit, state } = auditOf(made);
    await made.store.command(
      command(`INSERT INTO jetton_trades_per_minute_v1
        SELECT * REPLACE (volume_usd_buy + 1 AS volume_usd_buy) FROM jetton_trades_per_minute_v1 FINAL`),
      {},
    );
    await audit.round();
    expect(state.mismatches.length).toBeGreaterThan(10);
    expect(state.mismatches.every((one) => one.startsWith('jetton minute') && one.endsWith('wrong'))).toBe(true);
  }, 300_000);
});
