// bench:read: CPU per request of gateway and query app together while the market moves, against a bare node:http server
// that sends the same bytes and against SQL on the engine; latencies at half of the saturating rate; memory, hydration.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createReader, defineQuery } from '@jetton-analytics/clickhouse';
import { Command } from 'commander';
import { z } from 'zod';
import { repositoryRoot } from './bench-stack.js';
import { cpuSeconds, quantile, residentMib } from './figures.js';
import { atRate, closeConnections, get, saturate, type Target } from './read-load.js';
import { ReadSeed } from './read-seed.js';
import { ReadStack, type Started } from './read-stack.js';
import { writeReport } from './report.js';

const options = new Command('bench:read')
  .option('--jettons <n>', 'jettons in the read model, each with a market', Number, 100_000)
  .option('--moved <n>', 'jettons that change every two seconds', Number, 500)
  .option('--rounds <n>', 'rounds of interleaved slices per request', Number, 3)
  .option('--slice-ms <n>', 'length of a slice', Number, 1_500)
  .option('--hydrate-only', 'only the hydration and memory of the apps')
  .parse()
  .opts<{ jettons: number; moved: number; rounds: number; sliceMs: number; hydrateOnly?: true }>();

const moveEveryMs = 2_000;
const nowS = () => Math.floor(Date.now() / 1_000);
const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const jetton = `0:${createHash('sha256').update('jetton7').digest('hex')}`;

const sqlRow = z.record(z.string(), z.unknown());
const windowsOf = 'jetton, step, windows, usd_by_day, price_changed_at_ton';
const sqlOne = defineQuery({
  name: 'sqlOne',
  sql: `SELECT ${windowsOf} FROM jetton_statistics_v1 FINAL WHERE jetton = {jetton: String}`,
  params: z.object({ jetton: z.string() }),
  row: sqlRow,
});
const sqlList = defineQuery({
  name: 'sqlList',
  sql: `SELECT ${windowsOf} FROM jetton_statistics_v1 FINAL WHERE jetton IN (
          SELECT jetton FROM jetton_statistics_v1 FINAL WHERE step = 'mid' AND jetton IN (
            SELECT asset FROM jetton_holder_buckets_v1 FINAL GROUP BY asset HAVING sum(holders) >= 900)
          ORDER BY arraySum(w -> w.volume_usd_buy_current + w.volume_usd_sell_current,
                            arrayFilter(w -> w.window = 'day', windows)) DESC LIMIT 20)`,
  params: z.object({}),
  row: sqlRow,
});

interface Case {
  readonly name: string;
  readonly path: string;
  readonly app: 'statistics' | 'metrics';
  readonly status: 200 | 304;
  readonly isPaid?: true;
  readonly sql?: 'one' | 'list';
}
const list = 'limit=20&sort=volume24h&order=desc&holders.min=900';
const cases: readonly Case[] = [
  { name: 'one jetton', path: `/v1/jettons/${jetton}/stats`, app: 'statistics', status: 200, sql: 'one' },
  { name: 'list of 20', path: `/v1/jettons/stats?${list}`, app: 'statistics', status: 200, isPaid: true, sql: 'list' },
  { name: 'search', path: '/v1/jettons/metrics?limit=20&search=named%2099', app: 'metrics', status: 200 },
  { name: '304', path: `/v1/jettons/${jetton}/stats`, app: 'statistics', status: 304 },
];

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);

/** CPU seconds and requests of one kind, over all of its slices. */
class Spent {
  seconds = 0;
  requests = 0;
  wallMs = 0;

  constructor(
    readonly target: Target,
    readonly status: number,
    readonly pids: readonly number[],
  ) {}

  async slice(): Promise<void> {
    const before = cpuOf(this.pids);
    const began = performance.now();
    this.requests += await saturate(this.target, this.status, options.sliceMs);
    this.wallMs += performance.now() - began;
    this.seconds += cpuOf(this.pids) - before;
  }

  /** Microseconds of CPU per request above what the processes use anyway. */
  microseconds(idleShare: number): number {
    return ((this.seconds - (idleShare * this.wallMs) / 1_000) / this.requests) * 1e6;
  }

  get perSecond(): number {
    return (this.requests / this.wallMs) * 1_000;
  }
}

const stack = await ReadStack.start();
const seed = new ReadSeed(stack.settings, stack.postgresUrl, options.jettons);
const moving = new AbortController();
let market: Promise<void> = Promise.resolve();
try {
  await seed.write(nowS());
  const rows: string[][] = [];
  const memory: Record<string, string> = {};
  const started = async (name: 'statistics' | 'metrics'): Promise<Started> => {
    const app = await stack.app(name, name, {});
    const cpu = cpuSeconds(app.pid).toFixed(1);
    memory[`${name} hydration`] =
      `${app.readySeconds.toFixed(1)} s, ${cpu} s of CPU, ${residentMib(app.pid).toFixed(0)} MiB`;
    return app;
  };
  const apps = { statistics: await started('statistics'), metrics: await started('metrics') };
  if (options.hydrateOnly === undefined) {
    const behind = { STATISTICS_URL: apps.statistics.url, METRICS_URL: apps.metrics.url };
    const key = await stack.businessKey();
    const on = await stack.app('gateway', 'gateway-on', behind);
    const off = await stack.app('gateway', 'gateway-off', { ...behind, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' });
    const script = join(repositoryRoot, 'benchmarks', 'dist', 'bare-server.js');
    const bare = await stack.script('bare', script, {}, '/');
    const reader = createReader(stack.settings, { application: 'benchmark', lane: 'read' });
    market = (async () => {
      while (!moving.signal.aborted) {
        await seed.move(nowS(), options.moved);
        await pause(moveEveryMs);
      }
    })();
    await pause(2 * moveEveryMs);

    rows.push([
      'request',
      'bytes',
      'bare µs',
      'on µs',
      'on/bare',
      'off µs',
      'off/bare',
      'idle cpu',
      'sat. req/s',
      'p50 ms',
      'p99 ms',
      'sql µs',
      'on/sql',
    ]);
    for (const one of cases) {
      const credential: Record<string, string> = { authorization: `Bearer ${key}` };
      const open: Record<string, string> = one.isPaid === true ? { ...credential } : {};
      const first = await get({ url: on.url + one.path, headers: credential });
      if (first.status !== 200) throw new Error(`${one.path} answered ${first.status}: ${first.body.toString()}`);
      if (one.status === 304 && first.etag !== undefined) {
        credential['if-none-match'] = first.etag;
        open['if-none-match'] = first.etag;
      }
      const body = one.status === 304 ? '' : first.body.toString();
      await fetch(bare.url, { method: 'POST', body, headers: { 'x-status': String(one.status) } });
      const app = apps[one.app];
      const kinds = {
        bare: new Spent({ url: `${bare.url}/`, headers: {} }, one.status, [bare.pid]),
        on: new Spent({ url: on.url + one.path, headers: credential }, one.status, [on.pid, app.pid]),
        off: new Spent({ url: off.url + one.path, headers: open }, one.status, [off.pid, app.pid]),
      };
      let idleSeconds = 0;
      for (let round = -1; round < options.rounds; round += 1) {
        for (const kind of Object.values(kinds)) {
          // The first round warms up: compiled code is half the CPU of what is interpreted.
          if (round < 0) await saturate(kind.target, kind.status, 2 * options.sliceMs);
          else await kind.slice();
        }
        const before = cpuOf(kinds.on.pids);
        await pause(moveEveryMs);
        if (round >= 0) idleSeconds += cpuOf(kinds.on.pids) - before;
      }
      const idle = idleSeconds / ((options.rounds * moveEveryMs) / 1_000);
      const latencies = await atRate(kinds.on.target, one.status, kinds.on.perSecond / 2, 3_000);
      const [bareUs, onUs, offUs] = [
        kinds.bare.microseconds(0),
        kinds.on.microseconds(idle),
        kinds.off.microseconds(idle),
      ];
      let sqlUs = Number.NaN;
      if (one.sql !== undefined) {
        const times = one.sql === 'one' ? 20 : 3;
        const before = cpuSeconds(stack.clickhousePid);
        for (let time = 0; time < times; time += 1) {
          if (one.sql === 'one') await reader.query(sqlOne, { jetton });
          else await reader.query(sqlList, {});
        }
        sqlUs = ((cpuSeconds(stack.clickhousePid) - before) / times) * 1e6;
      }
      rows.push([
        one.name,
        String(body.length),
        bareUs.toFixed(0),
        onUs.toFixed(0),
        (onUs / bareUs).toFixed(1),
        offUs.toFixed(0),
        (offUs / bareUs).toFixed(1),
        idle.toFixed(3),
        kinds.on.perSecond.toFixed(0),
        quantile(latencies, 0.5).toFixed(1),
        quantile(latencies, 0.99).toFixed(1),
        Number.isNaN(sqlUs) ? '' : sqlUs.toFixed(0),
        Number.isNaN(sqlUs) ? '' : (onUs / sqlUs).toFixed(4),
      ]);
    }
    for (const [name, { pid }] of Object.entries({ ...apps, gateway: on })) {
      memory[`${name} at the end`] = `${residentMib(pid).toFixed(0)} MiB`;
    }
    await reader.close();
  }
  moving.abort();
  await market;
  console.log(memory);
  await writeReport('read', { ...options, ...memory }, rows);
} finally {
  moving.abort();
  await market.catch(() => undefined);
  closeConnections();
  await seed.close();
  await stack.stop();
}
