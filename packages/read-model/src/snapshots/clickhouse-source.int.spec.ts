import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClickHouseReader, clickhouseSettings, createReader } from '@jetton-analytics/clickhouse';
import {
  type CalculatedAt,
  fillHoles,
  renderJettonStatistics,
  renderMarketStatistics,
  steps,
} from '@jetton-analytics/figures';
import { JettonStatistics, MarketStatistics } from '@jetton-analytics/common';
import { loadSettings } from '@jetton-analytics/service';
import { z } from 'zod';
import { SnapshotSeeder } from '../../test/seed-snapshots.js';
import { clickHouseSource } from './clickhouse-source.js';
import { jettonFigures, marketFigures } from './figures-text.js';
import { followOnce } from './follow-step.js';
import { Snapshots } from './snapshots.js';
import type { JettonRow, SnapshotSource } from './snapshot-source.js';

const a = `0:${'a1'.repeat(32)}`;
const b = `0:${'b2'.repeat(32)}`;
const pool = `0:${'c3'.repeat(32)}`;
const t = 1_760_000_000;

let seeder: SnapshotSeeder;
let source: SnapshotSource;
let reader: ClickHouseReader;
let closeReader: () => Promise<void>;
const model = new Snapshots();

beforeAll(async () => {
  seeder = await SnapshotSeeder.create();
  reader = createReader(loadSettings(z.object(clickhouseSettings), seeder.settings), { application: 'spec' });
  closeReader = () => reader.close();
  source = clickHouseSource(reader);
}, 480_000);
afterAll(async () => {
  await closeReader();
  await seeder.close();
});

const countOf = (jetton: string) => {
  const figures = model.jetton(jetton);
  return figures === undefined ? undefined : jettonFigures(figures).hour?.transactionsBuy.current;
};

describe('the snapshot tables of the engine', () => {
  it('hold nothing to read at first', async () => {
    await followOnce(source, model);
    expect([model.clock, model.calculatedAt]).toEqual([undefined, undefined]);
  });

  it('are read once each step has a snapshot, and render as the contracts say', async () => {
    await seeder.term(3, 'wall');
    for (const step of steps) {
      const seed = { term: 3, step, calculatedAt: t, sequence: 1 };
      await seeder.snapshot({ ...seed, jettons: { [a]: 5, [b]: 6 }, markets: { [`${a}|${pool}`]: 3, [`${a}|`]: 1 } });
    }
    await followOnce(source, model);
    expect(model.calculatedAt).toEqual({ short: t, mid: t, long: t });
    expect(model.counts).toEqual({ jettons: 2, markets: 1 });
    const figures = model.jetton(a);
    if (figures === undefined) throw new Error('the jetton is unknown');
    const at = model.calculatedAt as CalculatedAt; // compared above
    const jetton = JettonStatistics.parse(
      JSON.parse(fillHoles(renderJettonStatistics(a, jettonFigures(figures)), at).toString()),
    );
    expect(jetton.transactions.month).toMatchObject({ current: '6', previous: '0', changeStatus: 'noPrevious' });
    expect(jetton.volume.usd.hour.current).toEqual({ value: '11750000', decimals: 6 });
    expect(jetton.priceChange.ton.min15).toMatchObject({
      changePercent: 0,
      current: { value: '1500000000', decimals: 9 },
    });
    const marketTexts = model.market(a, pool);
    if (marketTexts === undefined) throw new Error('the market is unknown');
    const bytes = fillHoles(renderMarketStatistics(marketFigures(marketTexts)), at);
    const market = MarketStatistics.parse(JSON.parse(bytes.toString()));
    expect(market.transactions.day).toMatchObject({ current: '3', previous: '2', changePercent: 50 });
    expect(market.volume.usd.day).toMatchObject({ changePercent: -50, previous: { value: '7000000', decimals: 6 } });
  });

  it('are followed row by row: unmarked rows do not count, marked ones do, unknown ones go', async () => {
    const seed = { term: 3, step: 'short', calculatedAt: t + 2, sequence: 2, slot: 1 } as const;
    await seeder.rows({ ...seed, jettons: { [a]: 7, [b]: null } });
    await followOnce(source, model);
    expect([countOf(a), countOf(b)]).toEqual(['5', '6']);
    await seeder.mark(seed);
    await followOnce(source, model);
    expect([countOf(a), countOf(b)]).toEqual(['7', undefined]);
    expect(model.calculatedAt?.short).toBe(t + 2);
  });

  it('come whole whatever the size of a page, all rows of a key on one', async () => {
    const range = { term: 3, step: 'short', after: 0n, upTo: 1n << 100n, rowCount: 4 } as const;
    const all = async (rowsMax: number) => {
      const rows: JettonRow[] = [];
      for await (const page of clickHouseSource(reader, { rowsMax }).jettonRows(range)) rows.push(...page);
      return rows.map(({ jetton, version }) => `${jetton} ${version}`).toSorted();
    };
    const expected = await all(1_000);
    expect(expected).toHaveLength(4);
    for (const rowsMax of [1, 2, 3, 4]) expect(await all(rowsMax)).toEqual(expected);
  });

  it('are left for a new term only when that has a marker, and at once for another clock', async () => {
    await seeder.term(4, 'wall');
    const seed = { term: 4, step: 'short', calculatedAt: t + 4, sequence: 1, jettons: { [a]: 9 } } as const;
    await seeder.rows(seed);
    await followOnce(source, model);
    expect(countOf(a)).toBe('7');
    await seeder.mark(seed);
    await followOnce(source, model);
    expect([countOf(a), model.table('short')?.marker.term, model.table('mid')?.marker.term]).toEqual(['9', 4, 3]);
    await seeder.term(5, 'event');
    await followOnce(source, model);
    expect([model.clock, countOf(a)]).toEqual(['event', undefined]);
  });
});
