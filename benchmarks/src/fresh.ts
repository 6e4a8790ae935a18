// bench:fresh: time from the acknowledgement of a trade by Kafka to its being visible over HTTP, at several rates.
import { createHash } from 'node:crypto';
import { createProducer } from '@jetton-analytics/kafka';
import { Command } from 'commander';
import { BenchStack, partitions } from './bench-stack.js';
import { cpuSeconds, quantile, residentMib } from './figures.js';
import { writeGrowth } from './growth-curve.js';
import { Materialising } from './materialising.js';
import { simulatedTrades } from './produce.js';
import { profiled } from './profiled.js';
import { writeReport } from './report.js';
import { scales } from './scales.js';
import { seedLedger } from './snapshot-seed.js';
import { statementTable, statementTimes } from './statements.js';

const options = new Command('bench:fresh')
  .option('--rates <list>', 'trades per second, with commas', scales, [100, 1_000, 5_000])
  .option('--seconds <n>', 'seconds per rate', Number, 40)
  .option('--jettons <n>', 'jettons of the ledger beforehand, a fifth of them traded in the last two hours', Number, 0)
  .option('--profile <folder>', 'where the aggregator leaves a CPU profile of each rate; slows it')
  .parse()
  .opts<{ rates: readonly number[]; seconds: number; jettons: number; profile?: string }>();

const tickMs = 50;
const probeEveryMs = 1_300;
const deadlineMs = 30_000;
const native = `0:${'0'.repeat(64)}`;
const addressOf = (text: string) => `0:${createHash('sha256').update(text).digest('hex')}`;
const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** A jetton of the ledger, the first ones far more often than the others. */
function jettonOf(index: number): string {
  const share = createHash('sha256').update(`jetton of ${index}`).digest().readUInt32BE() / 2 ** 32;
  return addressOf(`jetton${Math.floor(options.jettons * share ** 4)}`);
}

/** A buy of the jetton for one TON, now. */
function trade(tx: string, jetton: string, trader: string, nowMs: number) {
  return JSON.stringify({
    tx_hash: createHash('sha256').update(tx).digest('base64'),
    project_type: 'dex',
    project: 'benchmark',
    event_time: Math.floor(nowMs / 1_000),
    event_type: 'trade',
    trader_address: addressOf(trader).toUpperCase(),
    pool_address: addressOf(`pool of ${jetton}`).toUpperCase(),
    token_sold_address: native,
    token_bought_address: jetton.toUpperCase(),
    amount_sold_raw: '1000000000',
    amount_bought_raw: '5000000000',
    volume_usd: '5',
    volume_ton: '1',
  });
}

interface Sample {
  /** Acknowledged to visible. */
  readonly totalMs: number;
  /** The part until the trade's own second has ended: no window can hold it earlier. */
  readonly ownSecondMs: number;
}

const points = new Map<string, [rate: number, figure: number][]>();
function addPoint(name: string, rate: number, figure: number): void {
  points.set(name, [...(points.get(name) ?? []), [rate, figure]]);
}

const stack = await BenchStack.start();
const rows: string[][] = [
  [
    'trades/s',
    'sent/s',
    'probes',
    'p50 ms',
    'p95 ms',
    'max ms',
    'own second p50 ms',
    'beyond it p50 ms',
    'beyond it p95 ms',
    'aggregator cpu',
    'engine cpu',
    'MiB',
  ],
];
try {
  // Tokens of the load: those of a simulated market, so that activity has its usual skew.
  const templates = simulatedTrades(2_000, 1, 7, Date.now()).map(({ value }) => value);
  for (const rate of options.rates) {
    const name = `fresh_${rate}`;
    const settings = await stack.database(name);
    if (options.jettons > 0) {
      const { jettons } = options;
      const shape = { jettons, active: Math.round(jettons / 5), tradesEach: 20, days: 60 };
      await seedLedger(settings, shape, Math.floor(Date.now() / 1_000));
    }
    const topic = await stack.topics(name);
    const env = stack.environment(name, { FEED_DELAY_SECONDS: '0' });
    const materialising = new Materialising();
    const logged = options.jettons > 0 && { LOG_LEVEL: 'debug' };
    const aggregatorEnv = { ...env, ...logged, ...profiled(options.profile, name) };
    const aggregator = await stack.app('aggregator', aggregatorEnv, (line) => {
      materialising.see(line);
      if (/"level":"(warn|error|fatal)"/.test(line)) console.error(line);
    });
    // From a ledger that was there before, hours and days are made first.
    if (options.jettons > 0) await materialising.done();
    const statistics = await stack.app('statistics', env);
    const producer = createProducer(stack.kafka);
    await producer.connect();
    const samples: Sample[] = [];
    const probes: Promise<void>[] = [];
    const startedAt = performance.now();
    const cpuBefore = [cpuSeconds(aggregator.pid), cpuSeconds(stack.clickhousePid)];
    let sent = 0;
    let nextProbeMs = startedAt + 5_000;
    let probe = 0;
    while (performance.now() - startedAt < options.seconds * 1_000) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * rate) - sent;
      const nowMs = Date.now();
      const records = Array.from({ length: due }, (_, index) => {
        const at = { timestampMs: nowMs, partition: (sent + index) % partitions };
        if (options.jettons > 0) {
          const value = trade(`${name} ${sent + index}`, jettonOf(sent + index), `trader ${index}`, nowMs);
          return { value, ...at };
        }
        const text = templates[(sent + index) % templates.length] ?? '';
        const value = text
          .replace(
            /"tx_hash":"[^"]*"/,
            `"tx_hash":"${createHash('sha256')
              .update(`${name} ${sent + index}`)
              .digest('base64')}"`,
          )
          .replace(/"event_time":\d+/, `"event_time":${Math.floor(nowMs / 1_000)}`);
        return { value, ...at };
      });
      if (records.length > 0) await producer.send(topic, records);
      sent += records.length;
      if (performance.now() >= nextProbeMs) {
        nextProbeMs += probeEveryMs;
        probes.push(measure(statistics.url, `${name} probe ${(probe += 1)}`));
      }
      await pause(tickMs);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    await Promise.all(probes);
    const cores = [aggregator.pid, stack.clickhousePid].map(
      (pid, index) => (cpuSeconds(pid) - (cpuBefore[index] ?? 0)) / seconds,
    );
    const totals = samples.map(({ totalMs }) => totalMs);
    const beyond = samples.map(({ totalMs, ownSecondMs }) => totalMs - ownSecondMs);
    rows.push([
      String(rate),
      (sent / seconds).toFixed(0),
      String(samples.length),
      quantile(totals, 0.5).toFixed(0),
      quantile(totals, 0.95).toFixed(0),
      quantile(totals, 1).toFixed(0),
      quantile(
        samples.map(({ ownSecondMs }) => ownSecondMs),
        0.5,
      ).toFixed(0),
      quantile(beyond, 0.5).toFixed(0),
      quantile(beyond, 0.95).toFixed(0),
      ...cores.map((figure) => figure.toFixed(2)),
      [aggregator.pid, statistics.pid, stack.clickhousePid].map((pid) => residentMib(pid).toFixed(0)).join(' + '),
    ]);
    addPoint('seconds to visible, p50', rate, quantile(totals, 0.5) / 1_000);
    addPoint('seconds to visible, p95', rate, quantile(totals, 0.95) / 1_000);
    addPoint('aggregator, cores', rate, cores[0] ?? Number.NaN);
    addPoint('engine, cores', rate, cores[1] ?? Number.NaN);
    console.error(rows.at(-1)?.join('  '));
    console.error(statementTable(await statementTimes(aggregator.metricsUrl)));
    await producer.disconnect();
    await statistics.stop();
    await aggregator.stop();

    /** Trades a jetton nobody else trades and asks for it until it is there. */
    async function measure(url: string, tx: string): Promise<void> {
      const jetton = addressOf(tx);
      const nowMs = Date.now();
      await producer.send(topic, [{ value: trade(tx, jetton, tx, nowMs), timestampMs: nowMs }]);
      const acknowledgedMs = Date.now();
      for (;;) {
        const response = await fetch(`${url}/v1/jettons/${encodeURIComponent(jetton)}/stats`);
        if (response.ok) {
          const body = (await response.json()) as { transactions: { hour: { current: string } } };
          if (body.transactions.hour.current !== '0') break;
        }
        // Counted as visible then: the percentiles tell it.
        if (Date.now() - acknowledgedMs > deadlineMs) break;
        await pause(20);
      }
      samples.push({
        totalMs: Date.now() - acknowledgedMs,
        ownSecondMs: (Math.floor(nowMs / 1_000) + 1) * 1_000 - acknowledgedMs,
      });
    }
  }
  await writeReport('fresh', options, rows);
  const growths = [...points].map(([name, of]) => ({ name, points: of }));
  const title = 'Freshness over the rate of trades';
  if (options.jettons === 0) await writeGrowth('fresh', growths, { title, scale: 'trades a second', figure: '' });
} finally {
  await stack.stop();
}
