// bench:start: from `npm start` on an empty data folder to the stores, the first answer, figures of the present and the
// box, and the processor time each process took by then. Each run is paired with two baselines: the three stores alone,
// with nothing in them, and a bare node:http server up to its first answer.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answersHttp,
  freePort,
  type ManagedProcess,
  ProcessRegistry,
  spawnNodeApp,
  startClickHouseLocal,
  startKafka,
  startPostgres,
} from '@jetton-analytics/embedded';
import { Command } from 'commander';
import { repositoryRoot } from './bench-stack.js';
import { quantile, spread } from './figures.js';
import { treeCpuSeconds } from './process-tree.js';
import { writeReport } from './report.js';
import { measureStart, type StackStart } from './started-stack.js';

const options = new Command('bench:start')
  .option('--runs <n>', 'starts, each on an empty data folder', Number, 3)
  .option('--trades <n>', 'trades of history; without it the default of npm start', Number)
  .parse()
  .opts<{ runs: number; trades?: number }>();

interface Baseline {
  readonly seconds: number;
  readonly cpu: number;
}

async function measured(start: () => Promise<readonly ManagedProcess[]>): Promise<Baseline> {
  const began = performance.now();
  const processes = await start();
  const seconds = (performance.now() - began) / 1_000;
  const spent = processes.flatMap(({ pid }) => [...treeCpuSeconds(pid, new Map()).values()]);
  for (const process of processes) await process.stop();
  return { seconds, cpu: spent.reduce((sum, value) => sum + value, 0) };
}

/** Kafka, PostgreSQL and the engine, side by side, in a folder of their own. */
async function bareStores(folder: string, registry: ProcessRegistry): Promise<readonly ManagedProcess[]> {
  const [kafkaPort, enginePort, postgresPort] = [await freePort(), await freePort(), await freePort()];
  return Promise.all([
    startKafka({
      dataDir: join(folder, 'kafka'),
      cacheDir: join(repositoryRoot, '.cache'),
      port: kafkaPort,
      registry,
    }),
    startClickHouseLocal({
      repositoryRoot,
      dataDir: join(folder, 'clickhouse'),
      port: enginePort,
      env: process.env,
      output: { file: join(folder, 'clickhouse.log') },
      registry,
    }),
    startPostgres({ dataDir: join(folder, 'postgres'), port: postgresPort, registry }),
  ]);
}

async function bareServer(folder: string, registry: ProcessRegistry): Promise<readonly ManagedProcess[]> {
  const port = await freePort();
  const server = await spawnNodeApp({
    name: 'bare server',
    script: join(repositoryRoot, 'benchmarks', 'dist', 'bare-server.js'),
    env: { ...process.env, PORT: String(port) },
    output: { file: join(folder, 'bare-server.log') },
    readyWhen: () => answersHttp(`http://127.0.0.1:${port}/`),
    registry,
  });
  return [server];
}

let endCurrent = async (): Promise<void> => undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endCurrent().finally(() => process.exit(1)));
}

/** Gives a measurement a folder of its own; what it started and did not end is ended, also when we are told to stop. */
async function inFolder<T>(work: (folder: string, registry: ProcessRegistry) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-bench-'));
  chmodSync(folder, 0o755); // run by root, PostgreSQL has another account, which must be able to pass
  const registry = new ProcessRegistry(join(folder, 'processes.json'));
  endCurrent = async () => {
    await registry.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return await work(folder, registry);
  } finally {
    await endCurrent();
  }
}

const stores: Baseline[] = [];
const servers: Baseline[] = [];
const starts: StackStart[] = [];
const args = options.trades === undefined ? [] : ['--trades', String(options.trades)];
for (let run = 1; run <= options.runs; run += 1) {
  stores.push(await inFolder((folder, registry) => measured(() => bareStores(folder, registry))));
  servers.push(await inFolder((folder, registry) => measured(() => bareServer(folder, registry))));
  const start = await inFolder((folder, registry) => measureStart(join(folder, 'data'), args, registry));
  starts.push(start);
  const told = [start.storesReady, start.firstAnswer, start.figuresCurrent, start.box].map((value) => value.toFixed(1));
  console.error(`run ${run}: stores ready, first answer, figures current, box after ${told.join(', ')} s`);
}

const secondsOf = (baselines: readonly Baseline[]) => baselines.map(({ seconds }) => seconds);
const median = (values: readonly number[]) => quantile(values, 0.5);
const perStores = (values: readonly number[]) => (median(values) / median(secondsOf(stores))).toFixed(1);
const milestones = {
  'stores ready': starts.map(({ storesReady }) => storesReady),
  'first answer': starts.map(({ firstAnswer }) => firstAnswer),
  'figures of the present': starts.map(({ figuresCurrent }) => figuresCurrent),
  box: starts.map(({ box }) => box),
};
await writeReport('start', options, [
  ['seconds from the command', 'min / median / max', 'of the stores alone'],
  ['a bare node:http server', spread(secondsOf(servers), 2), perStores(secondsOf(servers))],
  ['the stores alone', spread(secondsOf(stores), 1), '1'],
  ...Object.entries(milestones).map(([name, values]) => [name, spread(values, 1), perStores(values)]),
]);

const total = ({ cpu }: StackStart) => [...cpu.values()].reduce((sum, value) => sum + value, 0);
const names = [...new Set(starts.flatMap(({ cpu }) => [...cpu.keys()]))];
const cpuOf = (name: string) => starts.map(({ cpu }) => cpu.get(name) ?? 0);
const byCost = names.toSorted((a, b) => median(cpuOf(b)) - median(cpuOf(a)));
console.log('');
await writeReport('start-cpu', options, [
  ['processor time to the box, s', 'min / median / max'],
  ...byCost.map((name) => [name, spread(cpuOf(name), 1)]),
  ['all', spread(starts.map(total), 1)],
  [
    'a bare node:http server',
    spread(
      servers.map(({ cpu }) => cpu),
      2,
    ),
  ],
  [
    'the stores alone',
    spread(
      stores.map(({ cpu }) => cpu),
      1,
    ),
  ],
]);
