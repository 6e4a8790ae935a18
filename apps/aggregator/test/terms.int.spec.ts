import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineInsert, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { beginTerm, dropFormerTerms } from '../src/leadership/terms.query.js';
import { dropOldNotes } from '../src/retention/drop-old-notes.js';
import { assetFactsOfSettings } from '../src/snapshots/asset-facts.js';
import { StepSnapshots } from '../src/snapshots/step-snapshots.js';
import { legsOf } from '@jetton-analytics/feed';
import { address, assets, ledgerTrade, nativeAddress } from './feed-messages.js';
import { terms } from './ledger.js';
import { publishedRows } from './snapshot-view.js';
import { newStore, prices } from './store.js';
import type { TradeWriter } from '../src/trades/trade-writer.js';

// 2026-03-10T10:00:00Z
const c = 1_773_136_800;

let store: ClickHouseWriter;
let writer: TradeWriter;
beforeEach(async () => {
  ({ store, writer } = await newStore());
}, 300_000);
afterEach(async () => {
  await store?.close();
});

const pinnedIds = defineQuery({
  name: 'pinnedIds',
  sql: 'SELECT id FROM pinned_orders_v1',
  params: z.object({}),
  row: z.object({ id: z.string() }),
});

let begun = 0;
function begin(generationId: number, clock = 'wall', leader?: string) {
  begun += 1;
  return beginTerm(store, { generationId, clock, leader: leader ?? `leader ${begun}`, nowS: c });
}

async function publish(term: number, asOf: number, markedOn = '2026-03-10'): Promise<void> {
  const snapshots = new StepSnapshots(store, 'mid', term, assetFactsOfSettings(assets), prices);
  const positions = new Map([[0, '1']]);
  await snapshots.take({ calculatedAt: asOf, asOf, positions, markedOn }, () => undefined);
}

const insertTouchedDays = defineInsert<
  readonly [partition: number, lastOffset: string, jetton: string, minute: number, pool: string, writtenOn: string]
>({
  name: 'insertTouchedDays',
  table: 'touched_buckets_v1',
  columns: ['kafka_partition', 'last_offset', 'jetton', 'minute', 'pool', 'written_on'],
});

const storedTerms = defineQuery({
  name: 'termsWithRows',
  sql: `SELECT DISTINCT term FROM (SELECT term FROM jetton_statistics_v1 UNION ALL SELECT term FROM market_statistics_v1)
        ORDER BY term`,
  params: z.object({}),
  row: z.object({ term: z.int() }),
});

describe('a term of leadership', () => {
  it('is greater than every stored one and not below the group’s generation, and is stored when it begins', async () => {
    expect((await begin(1)).term).toBe(1);
    expect((await begin(1)).term).toBe(2);
    expect((await begin(7)).term).toBe(7);
    // A new group begins its generations anew.
    expect((await begin(2)).term).toBe(8);
    expect((await store.query(terms, {})).map(({ term }) => term)).toEqual([1, 2, 7, 8]);
  }, 300_000);

  it('is of one leader alone, however many begin at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const together = await Promise.all(
        Array.from({ length: 6 }, (_, index) => begin(1, 'wall', `${round} ${index}`)),
      );
      expect(new Set(together.map(({ term }) => term)).size).toBe(6);
    }
  }, 300_000);

  it('continues from the last T that was published, whichever term did so', async () => {
    const first = await begin(1);
    expect(first.lastT).toBeUndefined();
    await publish(first.term, c);
    const second = await begin(2);
    expect(second.lastT).toBe(c);
    // It ended before it published anything.
    expect((await begin(3)).lastT).toBe(c);
    await publish(second.term, c + 60);
    expect((await begin(4)).lastT).toBe(c + 60);
  }, 300_000);

  it('begins T anew where the store was opened with another clock, also when the former clock comes back', async () => {
    await publish((await begin(1)).term, c);
    const fixed = await begin(2, 'fixed:2022-01-05T00:00:00Z');
    expect(fixed.lastT).toBeUndefined();
    await publish(fixed.term, 1_641_340_800);
    expect((await begin(3, 'fixed:2022-01-05T00:00:00Z')).lastT).toBe(1_641_340_800);
    expect((await begin(4, 'fixed:2022-01-06T00:00:00Z')).lastT).toBeUndefined();
    expect((await begin(5)).lastT).toBeUndefined();
  }, 300_000);
});

describe('the snapshots of former terms', () => {
  it('are dropped, those of this term and of a later one are kept', async () => {
    const trade = { tx: 'one', eventTime: c - 60, sold: nativeAddress, bought: address('jetton') };
    const legs = legsOf(ledgerTrade(trade), assets);
    await writer.write({ partition: 0, lastOffset: '0', legs, assertOwned: () => undefined });
    for (const term of [1, 2, 3, 4]) {
      await begin(term);
      await publish(term, c);
    }
    await dropFormerTerms(store, 3);
    expect((await store.query(storedTerms, {})).map(({ term }) => term)).toEqual([3, 4]);
    expect((await publishedRows(store, 3, 'mid')).size).toBe(2);
    // So do the terms themselves; the next one is greater than all there were, and knows the last T.
    expect((await store.query(terms, {})).map(({ term }) => term)).toEqual([3, 4]);
    await dropFormerTerms(store, 3);
    expect(await begin(1)).toEqual({ term: 5, lastT: c });
    expect((await store.query(storedTerms, {})).map(({ term }) => term)).toEqual([3, 4]);
  }, 300_000);
});

describe('what a leader notes', () => {
  const storedDays = defineQuery({
    name: 'noteDays',
    sql: `SELECT 'touched' AS note, toString(written_on) AS day FROM touched_buckets_v1 GROUP BY day
          UNION ALL SELECT 'marker' AS note, toString(marked_on) AS day FROM snapshot_markers_v1 GROUP BY day`,
    params: z.object({}),
    row: z.object({ note: z.string(), day: z.string() }),
  });

  it('goes by days, but for what the oldest of the steps’ newest snapshots may need, and a day before', async () => {
    const days = ['2026-02-01', '2026-03-08', '2026-03-09', '2026-03-10'];
    for (const [index, day] of days.entries()) {
      await publish(1, c + index, day);
      const rows = [[0, String(index), address('jetton'), c, '', day] as const];
      await store.insert(insertTouchedDays, rows);
    }
    await store.command(
      {
        name: 'pins',
        sql: `INSERT INTO pinned_orders_v1 VALUES ('a', '2026-03-08 23:59:59', '', ''), ('b', '2026-03-09 00:00:00', '', '')`,
        params: z.object({}),
      },
      {},
    );
    await expect(
      dropOldNotes(store, '2026-03-10', () => {
        throw new Error('the leadership is lost');
      }),
    ).rejects.toThrow('is lost');
    expect(await store.query(storedDays, {})).toHaveLength(8);
    await dropOldNotes(store, '2026-03-10', () => undefined);
    expect((await store.query(storedDays, {})).map(({ note, day }) => `${note} ${day}`).toSorted()).toEqual([
      'marker 2026-03-09',
      'marker 2026-03-10',
      'touched 2026-03-09',
      'touched 2026-03-10',
    ]);
    const ids = await store.query(pinnedIds, {});
    expect(ids.map(({ id }) => id)).toEqual(['b']);
    await store.command(
      { name: 'term', sql: `INSERT INTO snapshot_terms_v1 VALUES (1, 'wall', 'a', 0)`, params: z.object({}) },
      {},
    );
    expect((await begin(1)).lastT).toBe(c + 3);
  }, 300_000);
});
