// bench:read: CPU per request of gateway and query app together while the market moves, against a bare node:http server
// that sends the same bytes, a plain Nest controller that returns the same object, and SQL on the engine and on PostgreSQL;
// latencies at half of the saturating rate; memory.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createReader } from '@jetton-analytics/clickhouse';
import { Command } from 'commander';
import { repositoryRoot } from './bench-stack.js';
import { cpuSeconds, quantile, residentMib } from './figures.js';
import { writeGrowth } from './growth-curve.js';
import { PostgresAnswers } from './postgres-answers.js';
import { profiled } from './profiled.js';
import { type Case, cases, jetton, sqlList, sqlOne } from './read-cases.js';
import { kindsOf, type Servers } from './read-kinds.js';
import { atRate, closeConnections, saturate } from './read-load.js';
import { ReadSeed } from './read-seed.js';
import { ReadStack } from './read-stack.js';
import { writeReport } from './report.js';
import { scales } from './scales.js';
import { cpuOf } from './spent.js';

const options = new Command('bench:read')
  .option('--jettons <list>', 'jettons in the read model, each with a market; scales with commas', scales, [100_000])
  .option('--active <share>', 'share of them that was traded in every window, the others in none', Number, 1)
  .option('--moved <n>', 'jettons that change every two seconds', Number, 500)
  .option('--rounds <n>', 'rounds of interleaved slices per request', Number, 3)
  .option(
    '--slice-ms <n>',
    'length of a slice; by default the time between two moves of the market, so that each has one',
    Number,
    2_000,
  )
  .option('--no-sql', 'without the answers by SQL')
  .option(
    '--heap-mib <n>',
    'heap of each query app, by default that of a container of 1.5 GiB as the chart starts it',
    Number,
    1_152,
  )
  .option('--only <request>', `one of the requests: ${cases.map(({ name }) => name).join(', ')}`)
  .option('--profile <folder>', 'where gateway and query apps leave a CPU profile of their whole lives; slows them')
  .parse()
  .opts<Options>();

interface Options {
  readonly jettons: readonly number[];
  readonly active: number;
  readonly moved: number;
  readonly rounds: number;
  readonly sliceMs: number;
  readonly sql: boolean;
  readonly heapMib: number;
  readonly only?: string;
  readonly profile?: string;
}

const measured = cases.filter(({ name }) => options.only === undefined || name === options.only);
if (measured.length === 0) throw new Error(`--only ${options.only}: no such request`);
const moveEveryMs = 2_000;
// As the chart starts it in its container of 512 MiB.
const gatewayHeapMib = 384;
const nowS = () => Math.floor(Date.now() / 1_000);
const script = (name: string) => join(repositoryRoot, 'benchmarks', 'dist', `${name}.js`);
const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function measure(one: Case, servers: Servers): Promise<{ readonly cells: string[]; readonly perSecond: number }> {
  const kinds = await kindsOf(one, servers);
  const { bare, on } = kinds;
  if (bare === undefined || on === undefined) throw new Error('no baseline');
  // Warmed up first: compiled code is half the CPU of what is interpreted.
  for (const { target, status } of Object.values(kinds)) await saturate(target, status, 2 * options.sliceMs);
  let idleShare = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    const before = cpuOf(on.pids);
    await pause(moveEveryMs);
    idleShare = (cpuOf(on.pids) - before) / (moveEveryMs / 1_000);
    for (const [name, kind] of Object.entries(kinds)) {
      await kind.slice(options.sliceMs, name === 'bare' || name === 'plain' ? 0 : idleShare);
    }
  }
  const ownDelays = monitorEventLoopDelay({ resolution: 1 });
  ownDelays.enable();
  const latencies = await atRate(on.target, one.status, on.perSecond / 2, 3_000);
  ownDelays.disable();
  const over = (name: string, other = bare) => kinds[name]?.over(other) ?? '';
  const cells = [
    one.name,
    quantile(bare.microseconds, 0.5).toFixed(0),
    quantile(on.microseconds, 0.5).toFixed(0),
    over('on'),
    over('off'),
    over('hot'),
    over('plain'),
    over('gzip', on),
    over('zstd', on),
    on.perSecond.toFixed(0),
    quantile(latencies, 0.5).toFixed(1),
    quantile(latencies, 0.99).toFixed(1),
    (ownDelays.percentile(99) / 1e6).toFixed(1),
  ];
  return { cells, perSecond: on.perSecond };
}

/** Microseconds of CPU of the engine and of PostgreSQL for the same figures. */
async function sqlMicroseconds(kind: 'one' | 'list', stack: ReadStack, answers: PostgresAnswers): Promise<string[]> {
  const reader = createReader(stack.settings, { application: 'benchmark', lane: 'read' });
  const times = kind === 'one' ? 20 : 3;
  const before = cpuSeconds(stack.clickhousePid);
  for (let time = 0; time < times; time += 1) {
    if (kind === 'one') await reader.query(sqlOne, { jetton });
    else await reader.query(sqlList, {});
  }
  const engine = ((cpuSeconds(stack.clickhousePid) - before) / times) * 1e6;
  await reader.close();
  const postgres = await answers.microseconds(kind, jetton, kind === 'one' ? 500 : 50);
  return [engine.toFixed(0), postgres.toFixed(0)];
}

function nodeOptions(name: string, heapMib: number): NodeJS.ProcessEnv {
  const { NODE_OPTIONS } = { ...process.env, ...profiled(options.profile, name) };
  return { NODE_OPTIONS: `${NODE_OPTIONS ?? ''} --max-old-space-size=${heapMib}` };
}

async function startServers(stack: ReadStack): Promise<Servers> {
  const queryApp = (name: Case['app']) => stack.app(name, name, nodeOptions(name, options.heapMib));
  const apps = { statistics: await queryApp('statistics'), metrics: await queryApp('metrics') };
  const behind = { STATISTICS_URL: apps.statistics.url, METRICS_URL: apps.metrics.url };
  const unlimited = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ANSWER_CACHE_MIB: '0' };
  return {
    key: await stack.businessKey(),
    apps,
    on: await stack.app('gateway', 'gateway-on', { ...behind, ...nodeOptions('gateway', gatewayHeapMib) }),
    off: await stack.app('gateway', 'gateway-off', { ...behind, ...unlimited }),
    bare: await stack.script('bare', script('bare-server'), {}, { readyPath: '/' }),
    plain: await stack.script('plain', script('plain-nest'), {}, { readyPath: '/' }),
  };
}

const head = ['jettons', 'request', 'bare µs', 'on µs', 'on/bare', 'off/bare', 'hot/bare', 'plain/bare', 'gzip/on'];
const latency = ['sat. req/s', 'p50 ms', 'p99 ms', 'p99 of the asker itself'];
const rows: string[][] = [[...head, 'zstd/on', ...latency, 'engine SQL µs', 'Postgres SQL µs']];
const memory: Record<string, number>[] = [];
const points = new Map<string, (readonly [jettons: number, perSecond: number])[]>();

async function atScale(jettons: number): Promise<void> {
  const stack = await ReadStack.start();
  const active = Math.round(options.active * jettons);
  const seed = new ReadSeed(stack.settings, stack.postgresUrl, jettons, active);
  const answers = new PostgresAnswers(stack.postgresUrl, jettons);
  const moving = new AbortController();
  let market: Promise<void> = Promise.resolve();
  try {
    await seed.write(nowS());
    if (options.sql) await answers.write();
    const servers = await startServers(stack);
    market = (async () => {
      for (let dueMs = performance.now() + moveEveryMs; !moving.signal.aborted; dueMs += moveEveryMs) {
        await seed.move(nowS(), Math.min(options.moved, active / 2));
        await pause(Math.max(0, dueMs - performance.now()));
      }
    })();
    await pause(2 * moveEveryMs);
    for (const one of measured) {
      const { cells, perSecond } = await measure(one, servers);
      const sql = one.sql === undefined || !options.sql ? [] : await sqlMicroseconds(one.sql, stack, answers);
      rows.push([String(jettons), ...cells, ...sql]);
      points.set(one.name, [...(points.get(one.name) ?? []), [jettons, perSecond]]);
    }
    moving.abort();
    await market;
    const held = Object.entries({ ...servers.apps, gateway: servers.on });
    memory.push({
      jettons,
      ...Object.fromEntries(held.map(([name, { pid }]) => [`${name} MiB`, residentMib(pid)])),
    });
  } finally {
    moving.abort();
    await market.catch(() => undefined);
    closeConnections();
    await answers.close();
    await seed.close();
    await stack.stop();
  }
}

for (const jettons of options.jettons) await atScale(jettons);
console.log(memory);
await writeReport('read', { ...options, memory }, rows);
await writeGrowth(
  'read',
  [...points].map(([name, of]) => ({ name, points: of })),
  { title: 'Answers to eight connections over the number of jettons', scale: 'jettons', figure: 'answers per second' },
);
