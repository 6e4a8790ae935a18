// bench:snapshot: CPU of the windows of all jettons and markets, calculated from nothing and followed by the wall clock,
// against one statement that sums the same windows of the short step from the ledger.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type ClickHouseReader,
  type ClickHouseSettings,
  createReader,
  defineQuery,
} from '@jetton-analytics/clickhouse';
import { freePort, type ManagedProcess, spawnNodeApp } from '@jetton-analytics/embedded';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { BenchStack, repositoryRoot } from './bench-stack.js';
import { cpuSeconds, quantile, residentMib, spread } from './figures.js';
import { writeGrowth } from './growth-curve.js';
import { Materialising } from './materialising.js';
import { profiled } from './profiled.js';
import { atRate, closeConnections } from './read-load.js';
import { writeReport } from './report.js';
import { scales } from './scales.js';
import { type Cost, SnapshotCost } from './snapshot-cost.js';
import { type LedgerShape, seedLedger } from './snapshot-seed.js';
import { statementTable, statementTimes } from './statements.js';

const readsMsMax = 20_000;
const options = new Command('bench:snapshot')
  .option('--jettons <list>', 'scales, one after the other', scales, [1_000, 10_000, 100_000])
  .option('--active <share>', 'share of jettons traded in the last two hours', Number, 0.2)
  .option('--trades <n>', 'trades of each jetton', Number, 20)
  .option('--days <n>', 'days that the ledger reaches back', Number, 60)
  .option('--runs <n>', 'starts of the aggregator at each scale; 0: only the rebuild is measured', Number, 3)
  .option('--follow-seconds <n>', 'how long the windows are followed after each start', Number, 20)
  .addOption(
    new Option('--follow <step>', 'the step whose snapshots are followed; the others are taken once an hour')
      .choices(['short', 'mid', 'long'])
      .default('short'),
  )
  .option('--profile <folder>', 'where the aggregator leaves a CPU profile of each start; slows it')
  .option('--reads <n>', 'requests per second to the statistics app, with snapshots and without', Number, 100)
  .parse()
  .opts<Options>();

interface Options {
  readonly jettons: number[];
  readonly active: number;
  readonly trades: number;
  readonly days: number;
  readonly runs: number;
  readonly followSeconds: number;
  readonly follow: Step;
  readonly reads: number;
  readonly profile?: string;
}

const steps = ['short', 'mid', 'long'] as const;
type Step = (typeof steps)[number];
const settingOf = { short: 'STEP_SHORT_SECONDS', mid: 'STEP_MID_SECONDS', long: 'STEP_LONG_SECONDS' } as const;
const pollMs = 20;
const firstJetton = `0:${createHash('sha256').update('jetton0').digest('hex')}`;
const deadlineMs = 600_000;

const markers = defineQuery({
  name: 'markers',
  sql: `SELECT toString(step) AS step, toUInt32(count()) AS taken FROM snapshot_markers_v1
        WHERE term = (SELECT max(term) FROM snapshot_terms_v1) GROUP BY step`,
  params: z.object({}),
  row: z.object({ step: z.string(), taken: z.int() }),
});
const halves = (window: string, from: number, to: number) =>
  ['buy', 'sell'].map(
    (side) => `countIf(side = '${side}' AND age >= ${from} AND age < ${to}) AS ${window}_${from}_${side},
      sumIf(assumeNotNull(volume_usd), side = '${side}' AND age >= ${from} AND age < ${to}) AS ${window}_${from}_usd_${side},
      sumIf(assumeNotNull(volume_ton), side = '${side}' AND age >= ${from} AND age < ${to}) AS ${window}_${from}_ton_${side},
      uniqExactIf(trader, side = '${side}' AND age >= ${from} AND age < ${to}) AS ${window}_${from}_traders_${side}`,
  );
/** The counts, volumes and traders of the short step from the rows of the ledger, without prices. */
const plainWindows = defineQuery({
  name: 'plainWindows',
  sql: `SELECT toUInt32(count()) AS jettons, toString(sum(cityHash64(*))) AS digest FROM (
          SELECT jetton,
            ${[...halves('min15', 0, 900), ...halves('min15', 900, 1_800), ...halves('hour', 0, 3_600), ...halves('hour', 3_600, 7_200)].join(', ')}
          FROM (SELECT jetton, side, volume_usd, volume_ton, trader, is_trade,
                  {nowS: UInt64} - toUnixTimestamp(event_time) AS age
                FROM jetton_legs_v1 FINAL WHERE minute >= toDateTime({nowS: UInt64} - 7260))
          WHERE is_trade = 1 GROUP BY jetton)`,
  params: z.object({ nowS: z.int() }),
  row: z.object({ jettons: z.int(), digest: z.string() }),
});

interface Run {
  /** CPU seconds of aggregator and engine, and wall seconds, of each step's first snapshot. */
  readonly first: ReadonlyMap<Step, { readonly cpu: number; readonly wall: number }>;
  /** Snapshots of the step followed, and CPU seconds of each, with all that the aggregator does meanwhile. */
  readonly followed: { readonly snapshots: number; readonly cpuEach: number };
  /** What one of them costs beyond that. */
  readonly cost: Cost;
  /** {@link readLatencies}. */
  readonly reads: string;
  /** Resident memory of the aggregator once it follows. */
  readonly mib: number;
}

const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function taken(reader: ClickHouseReader): Promise<Map<string, number>> {
  return new Map((await reader.query(markers, {})).map((row) => [row.step, row.taken]));
}

const startAggregator = (stack: BenchStack, name: string, metricsPort: number, onLine: (line: string) => void) =>
  spawnNodeApp({
    name: 'aggregator',
    script: join(repositoryRoot, 'apps', 'aggregator', 'dist', 'main.js'),
    env: stack.environment(name, {
      LOG_LEVEL: 'debug',
      PORT: '0',
      METRICS_PORT: String(metricsPort),
      AUDIT_BUCKETS_PER_MINUTE: '0',
      ...Object.fromEntries(steps.filter((step) => step !== options.follow).map((step) => [settingOf[step], '3600'])),
      ...profiled(options.profile, name),
    }),
    output: { onLine },
  });

/** 99th percentile of one jetton's statistics in ms: while windows are followed, and once `stop` has ended that. */
async function readLatencies(stack: BenchStack, name: string, stop: () => Promise<void>): Promise<string> {
  const statistics = await stack.app('statistics', stack.environment(name));
  const target = { url: `${statistics.url}/v1/jettons/${firstJetton}/stats`, headers: {} };
  const p99 = async () =>
    quantile(await atRate(target, 200, options.reads, Math.min(options.followSeconds * 1_000, readsMsMax)), 0.99);
  try {
    await p99(); // compiled code first
    const followed = await p99();
    await stop();
    const alone = await p99();
    return `${followed.toFixed(1)}, ${alone.toFixed(1)}`;
  } finally {
    closeConnections();
    await statistics.stop();
  }
}

/** One start of the aggregator on the ledger, from its leadership to some snapshots after the first of each step. */
async function run(stack: BenchStack, name: string, reader: ClickHouseReader): Promise<Run> {
  const leads = Promise.withResolvers<void>();
  const metricsPort = await freePort();
  const materialising = new Materialising();
  const costs = new SnapshotCost();
  const app: ManagedProcess = await startAggregator(stack, name, metricsPort, (line) => {
    if (line.includes('this instance leads')) leads.resolve();
    materialising.see(line);
    costs.see(line);
    // Whatever goes wrong belongs to the figures.
    if (/"level":"(warn|error|fatal)"/.test(line)) console.error(line);
  });
  const cpu = () => cpuSeconds(app.pid) + cpuSeconds(stack.clickhousePid);
  try {
    await leads.promise;
    const first = new Map<Step, { cpu: number; wall: number }>();
    let from = { cpu: cpu(), ms: performance.now() };
    for (const step of steps) {
      const until = performance.now() + deadlineMs;
      while (((await taken(reader)).get(step) ?? 0) === 0) {
        if (performance.now() > until) throw new Error(`no snapshot of ${step} within ${deadlineMs} ms`);
        await pause(pollMs);
      }
      const to = { cpu: cpu(), ms: performance.now() };
      first.set(step, { cpu: to.cpu - from.cpu, wall: (to.ms - from.ms) / 1_000 });
      from = to;
    }
    await materialising.done();
    const before = (await taken(reader)).get(options.follow) ?? 0;
    const cpuBefore = cpu();
    const until = performance.now() + options.followSeconds * 1_000;
    while (performance.now() < until) {
      costs.sample(cpu());
      await pause(pollMs);
    }
    const cpuAfter = cpu();
    const snapshots = ((await taken(reader)).get(options.follow) ?? 0) - before;
    const times = await statementTimes(`http://127.0.0.1:${metricsPort}/metrics`);
    console.error(`${name}: statements of the aggregator\n${statementTable(times)}`);
    const followed = { snapshots, cpuEach: (cpuAfter - cpuBefore) / Math.max(1, snapshots) };
    const mib = residentMib(app.pid);
    const cost = costs.of(options.follow);
    return { first, followed, cost, mib, reads: await readLatencies(stack, name, () => app.stop()) };
  } finally {
    await app.stop();
  }
}

async function plain(stack: BenchStack, reader: ClickHouseReader): Promise<number> {
  const before = cpuSeconds(stack.clickhousePid);
  await reader.query(plainWindows, { nowS: Math.floor(Date.now() / 1_000) });
  return cpuSeconds(stack.clickhousePid) - before;
}

const growths = new Map<string, [number, number][]>();
function grow(name: string, jettons: number, cpu: readonly number[]): void {
  growths.set(name, [...(growths.get(name) ?? []), [jettons, quantile(cpu, 0.5)]]);
}

async function scale(stack: BenchStack, shape: LedgerShape): Promise<string[]> {
  const name = `snapshot_${shape.jettons}`;
  await stack.topics(name);
  const settings: ClickHouseSettings = await stack.database(name);
  const engineBefore = cpuSeconds(stack.clickhousePid);
  const seeded = await seedLedger(settings, shape, Math.floor(Date.now() / 1_000));
  const engineUs = ((cpuSeconds(stack.clickhousePid) - engineBefore) / seeded.legs) * 1e6;
  const rebuilt = [
    `${shape.jettons} (${shape.active})`,
    String(seeded.legs),
    `${Math.round(seeded.legs / seeded.rebuildSeconds)}, ${engineUs.toFixed(1)}`,
  ];
  if (options.runs === 0) return rebuilt;
  const reader = createReader({ ...settings, CLICKHOUSE_TIMEOUT_MS: deadlineMs }, { application: 'benchmark' });
  try {
    const runs: Run[] = [];
    const bare: number[] = [];
    for (let index = 0; index < options.runs; index += 1) {
      bare.push(await plain(stack, reader));
      runs.push(await run(stack, name, reader));
    }
    const cpuOf = (step: Step) => runs.map(({ first }) => first.get(step)?.cpu ?? Number.NaN);
    for (const step of steps) grow(`first ${step}`, shape.jettons, cpuOf(step));
    const eachFollowed = runs.map(({ followed }) => followed.cpuEach);
    grow(`followed ${options.follow}`, shape.jettons, eachFollowed);
    const eachAlone = runs.map(({ cost }) => cost.cpuEach ?? Number.NaN);
    grow('one statement over the ledger', shape.jettons, bare);
    const ratios = cpuOf('short').map((cpu, index) => cpu / (bare[index] ?? Number.NaN));
    return [
      ...rebuilt,
      ...steps.map((step) => spread(cpuOf(step), 2)),
      quantile(
        runs.map(({ first }) => first.get('short')?.wall ?? Number.NaN),
        0.5,
      ).toFixed(2),
      spread(eachFollowed, 3),
      spread(eachAlone, 3),
      runs.map(({ cost }) => `${cost.snapshots}, ${cost.restCores.toFixed(2)}`).join('; '),
      spread(bare, 2),
      spread(ratios, 2),
      quantile(
        runs.map(({ mib }) => mib),
        0.5,
      ).toFixed(0),
      runs.map(({ reads }) => reads).join('; '),
    ];
  } finally {
    await reader.close();
  }
}

const stack = await BenchStack.start();
try {
  const rows: string[][] = [];
  for (const jettons of options.jettons) {
    const shape = {
      jettons,
      active: Math.round(jettons * options.active),
      tradesEach: options.trades,
      days: options.days,
    };
    const row = await scale(stack, shape);
    console.error(row.join('  '));
    rows.push(row);
  }
  await writeReport('snapshot', options, [
    [
      'jettons (active)',
      'legs',
      'rebuilt legs/s, engine µs a leg',
      ...steps.map((step) => `first ${step}, CPU s`),
      'first short, s',
      `followed ${options.follow}, CPU s with all else`,
      'of its own',
      'snapshots, cores of all else',
      'one statement over the ledger, CPU s',
      'first short / statement',
      'aggregator, MiB',
      'p99 of reads with and without, ms',
    ],
    ...rows,
  ]);
  if (growths.size > 0)
    await writeGrowth(
      'snapshot',
      [...growths].map(([name, points]) => ({ name, points })),
      {
        title: 'Windows of all jettons and markets',
        scale: 'jettons',
        figure: 'CPU seconds of aggregator and engine, median',
      },
    );
} finally {
  await stack.stop();
}
