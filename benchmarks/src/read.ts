// bench:read: CPU per request of gateway and query app together while the market moves, against a bare node:http server
// that sends the same bytes, a plain Nest controller that returns the same object, and SQL on the engine and on PostgreSQL;
// latencies at half of the saturating rate; memory.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createReader } from '@jetton-analytics/clickhouse';
import { Command } from 'commander';
import { repositoryRoot } from './bench-stack.js';
import { cpuSeconds, quantile, residentMib } from './figures.js';
import { PostgresAnswers } from './postgres-answers.js';
import { profiled } from './profiled.js';
import { type Case, cases, jetton, sqlList, sqlOne } from './read-cases.js';
import { atRate, closeConnections, get, saturate, type Target } from './read-load.js';
import { ReadSeed } from './read-seed.js';
import { ReadStack, type Started } from './read-stack.js';
import { writeReport } from './report.js';
import { cpuOf, Spent } from './spent.js';

const options = new Command('bench:read')
  .option('--jettons <n>', 'jettons in the read model, each with a market', Number, 100_000)
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
  readonly jettons: number;
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
const nowS = () => Math.floor(Date.now() / 1_000);
const script = (name: string) => join(repositoryRoot, 'benchmarks', 'dist', `${name}.js`);
const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

interface Servers {
  readonly bare: Started;
  readonly plain: Started;
  /** With limits and lines. */
  readonly on: Started;
  /** Without limits, lines and kept answers. */
  readonly off: Started;
  readonly apps: Readonly<Record<Case['app'], Started>>;
  readonly key: string;
}

/** Every kind of server for one request, with what each needs to answer it. */
async function kindsOf(one: Case, { bare, plain, on, off, apps, key }: Servers): Promise<Record<string, Spent>> {
  const credential = { authorization: `Bearer ${key}` };
  const first = await get({ url: on.url + one.path, headers: credential });
  if (first.status !== 200) throw new Error(`${one.path} answered ${first.status}: ${first.body.toString()}`);
  const known: Record<string, string> =
    one.status === 304 && first.etag !== undefined ? { 'if-none-match': first.etag } : {};
  const body = one.status === 304 ? '' : first.body.toString();
  const json = { 'x-status': String(one.status), 'content-type': 'application/json' };
  await fetch(bare.url, { method: 'POST', body, headers: json });
  const app = apps[one.app];
  const of = (url: string, headers: Target['headers'], pids: readonly number[]) =>
    new Spent({ url, headers }, one.status, pids);
  const whole = (server: Started, headers: Record<string, string>) =>
    of(server.url + one.path, { ...headers, ...known }, [server.pid, app.pid]);
  const isFree = one.isPaid !== true;
  if (one.status === 200) await fetch(plain.url, { method: 'POST', body, headers: json });
  return {
    bare: of(`${bare.url}/`, {}, [bare.pid]),
    on: whole(on, credential),
    off: whole(off, isFree ? {} : credential),
    // Without a key: what the gateway may keep.
    ...(isFree && { hot: whole(on, {}) }),
    ...(one.status === 200 && {
      plain: of(`${plain.url}/`, {}, [plain.pid]),
      gzip: whole(on, { ...credential, 'accept-encoding': 'gzip' }),
      zstd: whole(on, { ...credential, 'accept-encoding': 'zstd' }),
    }),
  };
}

async function measure(one: Case, servers: Servers): Promise<string[]> {
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
  return [
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
}

const head = ['request', 'bare µs', 'on µs', 'on/bare', 'off/bare', 'hot/bare', 'plain/bare', 'gzip/on', 'zstd/on'];
const rows: string[][] = [
  [...head, 'sat. req/s', 'p50 ms', 'p99 ms', 'p99 of the asker itself', 'engine SQL µs', 'Postgres SQL µs'],
];
const stack = await ReadStack.start();
const seed = new ReadSeed(stack.settings, stack.postgresUrl, options.jettons);
const answers = new PostgresAnswers(stack.postgresUrl, options.jettons);
const moving = new AbortController();
let market: Promise<void> = Promise.resolve();

/** Microseconds of CPU of the engine and of PostgreSQL for the same figures. */
async function sqlMicroseconds(kind: 'one' | 'list'): Promise<string[]> {
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

try {
  await seed.write(nowS());
  if (options.sql) await answers.write();
  const queryApp = (name: Case['app']) => {
    const { NODE_OPTIONS } = { ...process.env, ...profiled(options.profile, name) };
    return stack.app(name, name, { NODE_OPTIONS: `${NODE_OPTIONS ?? ''} --max-old-space-size=${options.heapMib}` });
  };
  const apps = { statistics: await queryApp('statistics'), metrics: await queryApp('metrics') };
  const behind = { STATISTICS_URL: apps.statistics.url, METRICS_URL: apps.metrics.url };
  const key = await stack.businessKey();
  const servers: Servers = {
    key,
    apps,
    on: await stack.app('gateway', 'gateway-on', { ...behind, ...profiled(options.profile, 'gateway') }),
    off: await stack.app('gateway', 'gateway-off', {
      ...behind,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      ANSWER_CACHE_MIB: '0',
    }),
    bare: await stack.script('bare', script('bare-server'), {}, { readyPath: '/' }),
    plain: await stack.script('plain', script('plain-nest'), {}, { readyPath: '/' }),
  };
  market = (async () => {
    for (let dueMs = performance.now() + moveEveryMs; !moving.signal.aborted; dueMs += moveEveryMs) {
      await seed.move(nowS(), options.moved);
      await pause(Math.max(0, dueMs - performance.now()));
    }
  })();
  await pause(2 * moveEveryMs);
  for (const one of measured) {
    const row = await measure(one, servers);
    rows.push([...row, ...(one.sql === undefined || !options.sql ? ['', ''] : await sqlMicroseconds(one.sql))]);
  }
  moving.abort();
  await market;
  const memory = Object.fromEntries(
    Object.entries({ ...apps, gateway: servers.on }).map(([name, { pid }]) => [`${name} MiB`, residentMib(pid)]),
  );
  console.log(memory);
  await writeReport('read', { ...options, ...memory }, rows);
} finally {
  moving.abort();
  await market.catch(() => undefined);
  closeConnections();
  await answers.close();
  await seed.close();
  await stack.stop();
}
