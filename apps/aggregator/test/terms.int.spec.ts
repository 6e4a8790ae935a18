import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClickHouseWriter, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { beginTerm, dropFormerTerms } from '../src/leadership/terms.query.js';
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
}, 60_000);
afterEach(async () => {
  await store?.close();
});

const begin = (generationId: number, clock = 'wall') =>
  beginTerm(store, { generationId, clock, leader: `of generation ${generationId}`, nowS: c });

async function publish(term: number, asOf: number): Promise<void> {
  const snapshots = new StepSnapshots(store, 'mid', term, assetFactsOfSettings(assets), prices);
  const positions = new Map([[0, '1']]);
  await snapshots.take({ calculatedAt: asOf, asOf, positions, markedOn: '2026-03-10' }, () => undefined);
}

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
  }, 60_000);

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
  }, 60_000);

  it('begins T anew where the store was opened with another clock, also when the former clock comes back', async () => {
    await publish((await begin(1)).term, c);
    const fixed = await begin(2, 'fixed:2022-01-05T00:00:00Z');
    expect(fixed.lastT).toBeUndefined();
    await publish(fixed.term, 1_641_340_800);
    expect((await begin(3, 'fixed:2022-01-05T00:00:00Z')).lastT).toBe(1_641_340_800);
    expect((await begin(4, 'fixed:2022-01-06T00:00:00Z')).lastT).toBeUndefined();
    expect((await begin(5)).lastT).toBeUndefined();
  }, 60_000);
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
    await dropFormerTerms(store, 3);
    expect((await store.query(storedTerms, {})).map(({ term }) => term)).toEqual([3, 4]);
  }, 60_000);
});
