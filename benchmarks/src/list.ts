// bench:list: milliseconds of CPU of list queries over 100,000 jettons or as many as one asks for, without HTTP: what a first page costs that has to
// be ordered anew, where nothing moved and where rows moved, and what any other page costs.
import type { ListQuery } from '@jetton-analytics/common';
import { encodeOrder, ListIndex, ListWalks } from '@jetton-analytics/list-engine';
import { Command } from 'commander';
import { BenchRows, randomNumbers } from './list-rows.js';
import { writeGrowth } from './growth-curve.js';
import { scales } from './scales.js';
import { writeReport } from './report.js';

const options = new Command('bench:list')
  .option('--jettons <list>', 'rows, one scale after the other', scales, [100_000])
  .option('--moved <n>', 'rows that move between two requests', Number, 1_000)
  .option('--repeats <n>', 'requests of each kind', Number, 100)
  .parse()
  .opts<{ jettons: number[]; moved: number; repeats: number }>();

const all: ListQuery = {
  limit: 20,
  excludeScam: false,
  address: [],
  admin: [],
  verification: [],
  sort: 'volume24h',
  order: 'desc',
  priceChangeTon: {},
  liquidityUsd: {},
  fdmc: {},
  trustScore: {},
  holders: {},
  currency: 'ton',
};
const filtered: ListQuery = {
  ...all,
  excludeScam: true,
  liquidityUsd: { min: { value: 500_000n, decimals: 6 } },
  holders: { min: 100_000n },
};

/** CPU milliseconds of each repeat, ascending. */
async function measure(run: () => unknown, before: () => void = () => undefined): Promise<number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < options.repeats; repeat += 1) {
    before();
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return times.sort((a, b) => a - b);
}

const rows: string[][] = [['jettons', 'what', 'matches', 'median ms of CPU', 'p95']];
const growths = new Map<string, [number, number][]>();

async function measureScale(jettons: number): Promise<void> {
  const report = (what: string, matches: number, times: readonly number[]) => {
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    rows.push([String(jettons), what, String(matches), at(0.5).toFixed(2), at(0.95).toFixed(2)]);
    growths.set(what, [...(growths.get(what) ?? []), [jettons, at(0.5)]]);
  };
  const moved = Math.min(options.moved, jettons / 10);
  const source = new BenchRows(jettons);
  const index = new ListIndex(source);
  const random = randomNumbers(2);
  const move = () => source.move(moved, random);

  const first = process.cpuUsage();
  index.orderRows(all);
  const { user, system } = process.cpuUsage(first);
  report('first query over all', source.size, [(user + system) / 1_000]);

  for (const [name, query] of [
    ['order of all', all],
    ['filter and order', filtered],
    ['search, common word', { ...all, search: 'moon' }],
    ['search, rare word', { ...all, search: 'rocket999' }],
  ] as const) {
    const matches = index.orderRows(query).length;
    report(`${name}, nothing moved`, matches, await measure(() => index.orderRows(query)));
    report(`${name}, rows moved`, matches, await measure(() => index.orderRows(query), move));
  }

  const ordered = index.orderRows(all);
  report('encode the order of all', ordered.length, await measure(() => encodeOrder(ordered, source, index.addresses)));

  const walks = new ListWalks({
    secret: 'x'.repeat(32),
    store: { save: () => Promise.resolve(), load: () => Promise.resolve(undefined) },
    nowMs: () => Date.parse('2026-11-21T12:00:00Z'),
  });
  const { next = '' } = await walks.page(source, 'stats', filtered);
  report('page 1 on a pinned order', 20, await measure(() => walks.page(source, 'stats', filtered), move));
  report('page 2', 20, await measure(() => walks.page(source, 'stats', { ...filtered, cursor: next }), move));
}

for (const jettons of options.jettons) await measureScale(jettons);
await writeReport('list', options, rows);
await writeGrowth(
  'list',
  [...growths].map(([name, points]) => ({ name, points })),
  { title: 'Queries of the list engine', scale: 'jettons', figure: 'ms of CPU, median' },
);
