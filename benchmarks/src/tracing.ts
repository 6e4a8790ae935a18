// bench:tracing: CPU per request of gateway and query app together, with tracing off as by default (twice, for the noise), with
// the code that makes spans taken out, and with every request traced to a collector that takes everything and keeps nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { repositoryRoot } from './bench-stack.js';
import { quantile } from './figures.js';
import { type Case, cases } from './read-cases.js';
import { closeConnections, get, saturate } from './read-load.js';
import { ReadSeed } from './read-seed.js';
import { ReadStack, type Started } from './read-stack.js';
import { writeReport } from './report.js';
import { cpuOf, Spent } from './spent.js';

const options = new Command('bench:tracing')
  .option('--jettons <n>', 'jettons in the read model', Number, 2_000)
  .option('--rounds <n>', 'rounds of interleaved slices per request', Number, 7)
  .option('--slice-ms <n>', 'length of a slice', Number, 1_500)
  .parse()
  .opts<{ jettons: number; rounds: number; sliceMs: number }>();

const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
await new Promise<void>((resolve) => {
  collector.listen(0, '127.0.0.1', resolve);
});
const hook = pathToFileURL(join(repositoryRoot, 'benchmarks', 'dist', 'without-tracing.js')).href;
const variants: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  off: {},
  'off again': {},
  'taken out': { NODE_OPTIONS: `--import ${hook}` },
  on: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` },
};

interface Pair {
  readonly gateway: Started;
  readonly pids: readonly number[];
}

const stack = await ReadStack.start();
const seed = new ReadSeed(stack.settings, stack.postgresUrl, options.jettons);

async function startPair(name: string, env: NodeJS.ProcessEnv, metricsUrl: string): Promise<Pair> {
  const as = name.replace(' ', '-');
  const statistics = await stack.app('statistics', `statistics-${as}`, env);
  const behind = { STATISTICS_URL: statistics.url, METRICS_URL: metricsUrl };
  const gateway = await stack.app('gateway', `gateway-${as}`, { ...env, ...behind });
  for (const app of ['statistics', 'gateway']) {
    const isTakenOut = readFileSync(join(stack.folder, `${app}-${as}.log`), 'utf8').includes('spans are taken out');
    if (isTakenOut !== (name === 'taken out')) throw new Error(`${app} of ${name}: spans taken out: ${isTakenOut}`);
  }
  return { gateway, pids: [gateway.pid, statistics.pid] };
}

async function measure(one: Case, pairs: ReadonlyMap<string, Pair>, key: string): Promise<string[][]> {
  const authorization = `Bearer ${key}`;
  const kinds = new Map<string, Spent>();
  for (const [name, { gateway, pids }] of pairs) {
    const url = gateway.url + one.path;
    const { etag } = await get({ url, headers: { authorization } });
    const known: Record<string, string> = one.status === 304 && etag !== undefined ? { 'if-none-match': etag } : {};
    kinds.set(name, new Spent({ url, headers: { authorization, ...known } }, one.status, pids));
  }
  for (const { target, status } of kinds.values()) await saturate(target, status, 2 * options.sliceMs);
  const order = [...kinds.values()];
  for (let round = 0; round < options.rounds; round += 1) {
    // Forwards and backwards in turn, so that a drift of the machine is nobody's.
    for (const kind of round % 2 === 0 ? order : order.toReversed()) await kind.slice(options.sliceMs, 0);
  }
  const base = kinds.get('taken out');
  if (base === undefined) throw new Error('no baseline');
  return [...kinds].map(([name, kind]) => [
    one.name,
    name,
    String(kind.requests),
    quantile(kind.microseconds, 0.5).toFixed(0),
    kind.over(base, 3),
  ]);
}

const rows: string[][] = [['request', 'tracing', 'requests', 'µs', 'against taken out: least / median / greatest']];
try {
  await seed.write(Math.floor(Date.now() / 1_000));
  const key = await stack.businessKey();
  const metrics = await stack.app('metrics', 'metrics', {});
  const pairs = new Map<string, Pair>();
  for (const [name, env] of Object.entries(variants)) pairs.set(name, await startPair(name, env, metrics.url));
  const idle = [...pairs.values()].flatMap(({ pids }) => pids);
  const before = cpuOf(idle);
  await new Promise((resolve) => {
    setTimeout(resolve, 2_000);
  });
  console.log(
    `CPU of all eight processes while nobody asks: ${(((cpuOf(idle) - before) / 2) * 100).toFixed(1)} % of a core`,
  );
  for (const one of cases.filter(({ name }) => name === 'one jetton' || name === '304')) {
    rows.push(...(await measure(one, pairs, key)));
  }
  await writeReport('tracing', options, rows);
} finally {
  closeConnections();
  await seed.close();
  await stack.stop();
  collector.closeAllConnections();
  collector.close();
}
