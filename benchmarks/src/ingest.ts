// bench:ingest: trades per second from Kafka to rollups written, against a bare consumer that inserts the same rows.
import { join } from 'node:path';
import { type ClickHouseSettings, createReader, defineQuery } from '@jetton-analytics/clickhouse';
import { InputStatus } from '@jetton-analytics/common';
import { type ManagedProcess, spawnNodeApp } from '@jetton-analytics/embedded';
import { Command } from 'commander';
import { z } from 'zod';
import { BenchStack, repositoryRoot, topicSettings } from './bench-stack.js';
import { cpuSeconds, spread } from './figures.js';
import { produce, simulatedTrades } from './produce.js';
import { writeReport } from './report.js';

const options = new Command('bench:ingest')
  .option('--trades <n>', 'trades of each run', Number, 100_000)
  .option('--hours <n>', 'hours of history they are spread over', Number, 24)
  .option('--runs <n>', 'pairs of runs', Number, 3)
  .parse()
  .opts<{ trades: number; hours: number; runs: number }>();

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
      const process = await stack.app('aggregator', stack.environment(name));
      return { process, done: until(() => consumed(course), 600_000) };
    });
  } finally {
    await reader.close();
  }
}

const stack = await BenchStack.start();
try {
  const bare: Run[] = [];
  const ours: Run[] = [];
  for (let run = 0; run < options.runs; run += 1) {
    const records = simulatedTrades(options.trades, options.hours / 24, run + 1, Date.now());
    for (const [kind, list] of [['bare', bare] as const, ['aggregator', ours] as const]) {
      const name = `ingest_${kind}_${run}`;
      const topic = await stack.topics(name);
      const settings = await stack.database(name);
      await produce(stack.kafka, topic, records);
      list.push(
        kind === 'bare'
          ? await bareRun(stack, name, records.length)
          : await aggregatorRun(stack, name, records.length, settings),
      );
    }
  }
  const ratio = ours.map((one, index) => one.tradesPerSecond / (bare[index]?.tradesPerSecond ?? Number.NaN));
  await writeReport('ingest', options, [
    ['figure (min / median / max)', 'aggregator', 'bare consumer + insert'],
    ['trades/s', spread(ours.map((one) => one.tradesPerSecond)), spread(bare.map((one) => one.tradesPerSecond))],
    [
      'trades/s sustained, without the start',
      spread(ours.map((one) => one.sustained)),
      spread(bare.map((one) => one.sustained)),
    ],
    [
      'consumer CPU, µs per trade',
      spread(ours.map((one) => one.consumerCpuUs)),
      spread(bare.map((one) => one.consumerCpuUs)),
    ],
    [
      'engine CPU, µs per trade',
      spread(ours.map((one) => one.engineCpuUs)),
      spread(bare.map((one) => one.engineCpuUs)),
    ],
    ['ratio of trades/s, pair by pair', spread(ratio, 2), '1'],
  ]);
} finally {
  await stack.stop();
}
