// bench:ingest: trades per second from Kafka to rollups written, against a bare consumer that inserts the same rows.
import { join } from 'node:path';
import { type ClickHouseSettings, createReader, defineQuery } from '@jetton-analytics/clickhouse';
import { InputStatus } from '@jetton-analytics/common';
import { type ManagedProcess, spawnNodeApp } from '@jetton-analytics/embedded';
import { Command } from 'commander';
import { z } from 'zod';
import { BenchStack, repositoryRoot, topicSettings } from './bench-stack.js';
import { cpuSeconds, quantile, spread } from './figures.js';
import { writeGrowth } from './growth-curve.js';
import { produce, simulatedTrades } from './produce.js';
import { profiled } from './profiled.js';
import { writeReport } from './report.js';
import { scales } from './scales.js';
import { seedLegs } from './snapshot-seed.js';
import { statementTable, statementTimes } from './statements.js';

const options = new Command('bench:ingest')
  .option('--trades <n>', 'trades of each run', Number, 100_000)
  .option('--hours <n>', 'hours of history they are spread over', Number, 24)
  .option('--runs <n>', 'pairs of runs', Number, 3)
  .option('--profile <folder>', 'where the aggregator leaves a CPU profile of each run; slows it')
  .option('--ledger <list>', 'legs of the ledger beforehand, in millions, one scale after the other', scales, [0])
  .option(
    '--days-per-million <n>',
    'days that a million of them fill: a ledger that grows by its history (without: all in 60 days)',
    Number,
  )
  .parse()
  .opts<{ trades: number; hours: number; runs: number; ledger: number[]; daysPerMillion?: number; profile?: string }>();

const inputStatus = defineQuery({
  name: 'inputStatus',
  sql: 'SELECT status FROM input_status_v2 FINAL WHERE topic = {topic: String}',
  params: z.object({ topic: z.string() }),
  row: z.object({ status: z.string() }),
});

interface Run {
  readonly tradesPerSecond: number;
  /** From the first trades known to be written to the last: without the start of the process. */
  readonly sustained: number;
  readonly consumerCpuUs: number;
  readonly engineCpuUs: number;
}

/** How far a run is: counts of trades written, with when they were seen. */
class Course {
  #first: { readonly count: number; readonly atMs: number } | undefined;
  #last: { readonly count: number; readonly atMs: number } | undefined;

  seen(count: number): void {
    if (count === 0 || count === this.#last?.count) return;
    this.#last = { count, atMs: performance.now() };
    this.#first ??= this.#last;
  }

  get perSecond(): number {
    if (this.#first === undefined || this.#last === undefined) return Number.NaN;
    return ((this.#last.count - this.#first.count) / (this.#last.atMs - this.#first.atMs)) * 1_000;
  }
}

async function until(isDone: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`not done within ${timeoutMs} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

/** From the start of the process, its boot included, to the last trade written. */
async function measured(
  stack: BenchStack,
  trades: number,
  start: (course: Course) => Promise<{ process: ManagedProcess; done: Promise<void> }>,
): Promise<Run> {
  const engineBefore = cpuSeconds(stack.clickhousePid);
  const started = performance.now();
  const course = new Course();
  const { process, done } = await start(course);
  try {
    await done;
    const seconds = (performance.now() - started) / 1_000;
    return {
      tradesPerSecond: trades / seconds,
      sustained: course.perSecond,
      consumerCpuUs: (cpuSeconds(process.pid) / trades) * 1e6,
      engineCpuUs: ((cpuSeconds(stack.clickhousePid) - engineBefore) / trades) * 1e6,
    };
  } finally {
    await process.stop();
  }
}

function bareRun(stack: BenchStack, name: string, trades: number): Promise<Run> {
  return measured(stack, trades, async (course) => {
    const done = Promise.withResolvers<void>();
    const process = await spawnNodeApp({
      name: 'bare consumer',
      script: join(repositoryRoot, 'benchmarks', 'dist', 'bare-consumer.js'),
      env: stack.environment(name, { GROUP: `${name}-bare`, EXPECTED: String(trades) }),
      output: {
        onLine: (line) => {
          if (/^\d+$/.test(line)) course.seen(Number(line));
          else if (line === 'done') done.resolve();
          else console.error(line);
        },
      },
    });
    return { process, done: done.promise };
  });
}

async function aggregatorRun(
  stack: BenchStack,
  name: string,
  trades: number,
  settings: ClickHouseSettings,
): Promise<Run> {
  const reader = createReader(settings, { application: 'benchmark' });
  const consumed = async (course: Course) => {
    const [row] = await reader.query(inputStatus, { topic: topicSettings(name).DEX_TRADES_TOPIC });
    if (row === undefined) return false;
    const { partitions } = InputStatus.parse(JSON.parse(row.status));
    const count = partitions.reduce((sum, { position }) => sum + Number(position), 0);
    course.seen(count);
    return count >= trades;
  };
  try {
    return await measured(stack, trades, async (course) => {
      const env = stack.environment(name, profiled(options.profile, name));
      const process = await stack.app('aggregator', env);
      const ended = async () => {
        await until(() => consumed(course), 600_000);
        const times = await statementTimes(process.metricsUrl);
        console.error(`${name}: statements of the aggregator\n${statementTable(times)}`);
      };
      return { process, done: ended() };
    });
  } finally {
    await reader.close();
  }
}

const daySeconds = 86_400;
/** Days of a piece of the ledger: a statement writes to no more partitions than an insert may. */
const pieceDays = 60;

/**
 * A ledger of so many millions of legs of 100,000 jettons, for new trades to be added to: within 60 days, many of them of the
 * last hours, or evenly over as many days as are asked for.
 */
async function fill(settings: ClickHouseSettings, millions: number): Promise<void> {
  const jettons = 100_000;
  const nowS = Math.floor(Date.now() / 1_000);
  const legs = millions * 1e6;
  if (options.daysPerMillion === undefined) {
    const tradesEach = Math.round(legs / jettons);
    await seedLegs(settings, { jettons, active: 20_000, tradesEach, days: pieceDays }, nowS);
    return;
  }
  const allDays = millions * options.daysPerMillion;
  const pieces = Math.ceil(allDays / pieceDays);
  for (let piece = 0; piece < pieces; piece += 1) {
    const days = allDays / pieces;
    const tradesEach = Math.round(legs / pieces / jettons);
    const untilS = Math.floor(nowS - piece * days * daySeconds);
    await seedLegs(settings, { jettons, active: 0, tradesEach, days }, untilS, piece * tradesEach * jettons);
  }
}

interface Runs {
  readonly bare: Run[];
  readonly ours: Run[];
}

async function pairs(stack: BenchStack, ledger: number): Promise<Runs> {
  const runs: Runs = { bare: [], ours: [] };
  for (let run = 0; run < options.runs; run += 1) {
    const records = simulatedTrades(options.trades, options.hours / 24, run + 1, Date.now());
    for (const [kind, of] of Object.entries(runs) as [keyof Runs, Run[]][]) {
      const name = `ingest_${ledger}_${kind}_${run}`.replace('.', '_');
      const topic = await stack.topics(name);
      const settings = await stack.database(name);
      await fill(settings, ledger);
      await produce(stack.kafka, topic, records);
      of.push(
        kind === 'bare'
          ? await bareRun(stack, name, records.length)
          : await aggregatorRun(stack, name, records.length, settings),
      );
      await stack.dropDatabase(settings);
    }
  }
  return runs;
}

const figures = {
  'trades/s': (one: Run) => one.tradesPerSecond,
  'trades/s sustained, without the start': (one: Run) => one.sustained,
  'consumer CPU, µs per trade': (one: Run) => one.consumerCpuUs,
  'engine CPU, µs per trade': (one: Run) => one.engineCpuUs,
};

const stack = await BenchStack.start();
try {
  const rows = [['legs before, millions', 'figure (min / median / max)', 'aggregator', 'bare consumer + insert']];
  const growths = new Map<string, [number, number][]>();
  for (const ledger of options.ledger) {
    const { bare, ours } = await pairs(stack, ledger);
    for (const [figure, of] of Object.entries(figures)) {
      rows.push([String(ledger), figure, spread(ours.map(of)), spread(bare.map(of))]);
      for (const [who, runs] of [['aggregator', ours] as const, ['bare consumer', bare] as const]) {
        const name = `${who}: ${figure}`;
        growths.set(name, [...(growths.get(name) ?? []), [ledger * 1e6, quantile(runs.map(of), 0.5)]]);
      }
    }
    const ratio = ours.map((one, index) => one.tradesPerSecond / (bare[index]?.tradesPerSecond ?? Number.NaN));
    rows.push([String(ledger), 'ratio of trades/s, pair by pair', spread(ratio, 2), '1']);
  }
  await writeReport('ingest', options, rows);
  await writeGrowth(
    'ingest',
    [...growths].filter(([name]) => name.includes('CPU')).map(([name, points]) => ({ name, points })),
    { title: 'Cost of a trade over the ledger', scale: 'legs in the ledger beforehand', figure: 'µs of CPU, median' },
  );
} finally {
  await stack.stop();
}
