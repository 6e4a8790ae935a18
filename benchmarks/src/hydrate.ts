// bench:hydrate: from the start of a query app to its readiness, its CPU and its memory, over a growing number of jettons,
// against a bare client that reads the same of the stores and discards it, one after the other in every round. Then it is asked.
import { join } from 'node:path';
import { Command } from 'commander';
import { repositoryRoot } from './bench-stack.js';
import { cpuSeconds, quantile, residentMib, spread } from './figures.js';
import { type Growth, writeGrowth } from './growth-curve.js';
import { profiled } from './profiled.js';
import { cases } from './read-cases.js';
import { ReadSeed } from './read-seed.js';
import { ReadStack } from './read-stack.js';
import { scales } from './scales.js';
import { writeReport } from './report.js';

const options = new Command('bench:hydrate')
  .option('--jettons <list>', 'jettons in the read model, with commas', scales, [1_000, 10_000, 100_000])
  .option('--active <share>', 'share of them that was traded in every window, the others in none', Number, 0.2)
  .option('--rounds <n>', 'rounds of each', Number, 3)
  .option(
    '--no-baseline',
    'without the bare client, which reads tables of a million rows in one statement too large for them',
  )
  .option('--ready-seconds <n>', 'how long each may take to its readiness', Number, 300)
  .option('--asks <n>', 'how often each kind of question is then asked, one after the other', Number, 50)
  .option('--profile <folder>', 'where the query apps leave a CPU profile of their start; slows them')
  .parse()
  .opts<{
    jettons: readonly number[];
    active: number;
    rounds: number;
    baseline: boolean;
    readySeconds: number;
    asks: number;
    profile?: string;
  }>();

const allKinds = ['bare', 'statistics', 'metrics'] as const;
type Kind = (typeof allKinds)[number];
const kinds = allKinds.filter((kind) => options.baseline || kind !== 'bare');

/** What one start took. */
interface Start {
  readonly wall: number;
  readonly cpu: number;
  readonly engine: number;
  readonly mib: number;
  /** The median time of each kind of answer, ms, and what the process then holds. */
  readonly answers: readonly (readonly [name: string, ms: number])[];
  readonly mibAsked: number;
}

async function medianMs(url: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < options.asks; count += 1) {
    const began = performance.now();
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    times.push(performance.now() - began);
  }
  return quantile(times, 0.5);
}

async function answersOf(kind: Kind, url: string): Promise<Start['answers']> {
  const answers: [string, number][] = [];
  for (const { name, path, app, status } of cases) {
    if (app === kind && status === 200) answers.push([name, await medianMs(url + path)]);
  }
  return answers;
}

type Figure = Exclude<keyof Start, 'answers'>;

async function startOnce(stack: ReadStack, kind: Kind, jettons: number): Promise<Start> {
  const engineBefore = cpuSeconds(stack.clickhousePid);
  const script = join(repositoryRoot, 'benchmarks', 'dist', 'bare-reader.js');
  const readyTimeoutMs = options.readySeconds * 1_000;
  const app =
    kind === 'bare'
      ? await stack.script(kind, script, { JETTONS: String(jettons) }, { readyPath: '/', readyTimeoutMs })
      : await stack.app(kind, kind, profiled(options.profile, kind), { readyTimeoutMs });
  const start = {
    wall: app.readySeconds,
    cpu: cpuSeconds(app.pid),
    engine: cpuSeconds(stack.clickhousePid) - engineBefore,
    mib: residentMib(app.pid),
  };
  const answers = await answersOf(kind, app.url);
  const mibAsked = residentMib(app.pid);
  await app.stop();
  return { ...start, answers, mibAsked };
}

const head = [
  'jettons',
  'reader',
  'wall s',
  'wall/bare',
  'CPU s',
  'CPU/bare',
  'engine CPU s',
  'RSS MiB',
  'answers, ms',
  'RSS then',
];
const rows: string[][] = [head];
const points = new Map<string, [number, number][]>();
function addPoint(name: string, jettons: number, figure: number): void {
  points.set(name, [...(points.get(name) ?? []), [jettons, figure]]);
}
for (const jettons of options.jettons) {
  const stack = await ReadStack.start();
  const seed = new ReadSeed(stack.settings, stack.postgresUrl, jettons, Math.round(jettons * options.active));
  try {
    await seed.write(Math.floor(Date.now() / 1_000));
    const starts: Record<Kind, Start[]> = { bare: [], statistics: [], metrics: [] };
    for (let round = 0; round < options.rounds; round += 1) {
      for (const kind of kinds) starts[kind].push(await startOnce(stack, kind, jettons));
    }
    for (const kind of kinds) {
      const of = (figure: Figure) => starts[kind].map((start) => start[figure]);
      // Of the same round each: the machine is another one from minute to minute.
      const ratios = (figure: Figure) =>
        starts[kind].map((start, round) => start[figure] / (starts.bare[round]?.[figure] ?? Number.NaN));
      rows.push([
        String(jettons),
        kind,
        spread(of('wall'), 1),
        spread(ratios('wall'), 1),
        spread(of('cpu'), 1),
        spread(ratios('cpu'), 1),
        spread(of('engine'), 1),
        quantile(of('mib'), 0.5).toFixed(0),
        starts[kind]
          .at(-1)
          ?.answers.map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
          .join(', ') ?? '',
        quantile(of('mibAsked'), 0.5).toFixed(0),
      ]);
      addPoint(`${kind}: seconds to readiness`, jettons, quantile(of('wall'), 0.5));
      addPoint(`${kind}: CPU seconds`, jettons, quantile(of('cpu'), 0.5));
      if (kind !== 'bare') addPoint(`${kind}: resident memory, GiB`, jettons, quantile(of('mib'), 0.5) / 1_024);
    }
  } finally {
    await seed.close();
    await stack.stop();
  }
}
await writeReport('hydrate', options, rows);
const growths: Growth[] = [...points].map(([name, of]) => ({ name, points: of }));
await writeGrowth('hydrate', growths, { title: 'Growth of the start of a query app', scale: 'jettons', figure: '' });
