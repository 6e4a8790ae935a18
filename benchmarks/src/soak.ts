// bench:soak: steady memory. A day of simulated live trades is sent as fast as the service takes it, T following the trades
// (CLOCK=event), while one figure is asked for again and again. Sampled are the resident memory of every process and, of
// the Node programs, what their heaps hold: the least of many samples is what is left after a collection, which resident
// memory does not show, since a collector takes the room it is given.
import { setTimeout as pause } from 'node:timers/promises';
import { createReader, createWriter, defineCommand, defineQuery } from '@jetton-analytics/clickhouse';
import { InputStatus } from '@jetton-analytics/common';
import { createProducer } from '@jetton-analytics/kafka';
import { type MarketRecord, SimulatedMarket } from '@jetton-analytics/simulated-market';
import { Command } from 'commander';
import { z } from 'zod';
import { BenchStack, partitions, topicSettings } from './bench-stack.js';
import { anonymousMib, type EngineMemory, engineMemory } from './engine-memory.js';
import { residentMib } from './figures.js';
import { writeReport } from './report.js';

const options = new Command('bench:soak')
  .option('--rate <n>', 'trades per second of the simulated time', Number, 10)
  .option('--hours <n>', 'simulated hours', Number, 24)
  .option('--minutes <n>', 'minutes after which it ends wherever it is', Number, 30)
  .option('--jettons <n>', 'jettons of the market', Number, 300)
  .parse()
  .opts<{ rate: number; hours: number; minutes: number; jettons: number }>();

const hourMs = 3_600_000;
const recordsPerRequest = 2_000;
/** Trades sent and not read yet: a pause long enough to call the rest live, short enough to keep the pipeline busy. */
const backlogMax = 20_000;
const sampleEveryMs = 1_000;
const engineSampleEveryMs = 5_000;
const purgeEveryMs = 20_000;
const askEveryMs = 250;

const inputStatus = defineQuery({
  name: 'tradesInputStatus',
  sql: 'SELECT status FROM input_status_v2 FINAL WHERE topic = {topic: String}',
  params: z.object({ topic: z.string() }),
  row: z.object({ status: z.string() }),
});

const purge = defineCommand({ name: 'purge', sql: 'SYSTEM JEMALLOC PURGE', params: z.object({}) });

interface Sample {
  /** Simulated hours since the start. */
  readonly hours: number;
  readonly mib: readonly number[];
}

/** Used heap and buffers outside of it, MiB, from an app's own metrics. */
async function heapMib(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl, { signal: AbortSignal.timeout(5_000) })).text();
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return (of('nodejs_heap_size_used_bytes') + of('nodejs_external_memory_bytes')) / 2 ** 20;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The values of the first (0) to the last (3) quarter of a run. */
function ofQuarter<T>(values: readonly T[], number: number): readonly T[] {
  const size = Math.floor(values.length / 4);
  return values.slice(number * size, (number + 1) * size);
}

/** Slope of the line of least squares. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

const stack = await BenchStack.start();
try {
  const name = 'soak';
  const settings = await stack.database(name);
  const topics = topicSettings(name);
  await stack.topics(name);
  const env = stack.environment(name, { CLOCK: 'event' });
  const startMs = Date.now() - options.hours * hourMs;
  const market = SimulatedMarket.begin({
    seed: 1,
    historyEndMs: startMs,
    historyDays: 1,
    historyTrades: 2_000,
    jettons: options.jettons,
    ratePerSecond: options.rate,
  });
  const producer = createProducer(stack.kafka, { requestBytesMax: 1_900_000 });
  await producer.connect();
  const topicOf: Record<MarketRecord['kind'], string> = {
    trades: topics.DEX_TRADES_TOPIC,
    pools: topics.DEX_POOLS_TOPIC,
    jettonMetadata: topics.JETTON_METADATA_TOPIC,
    balances: topics.BALANCES_TOPIC,
  };
  let sentTrades = 0;
  let simulatedMs = startMs;
  let jetton: string | undefined;
  const send = async (untilMs: number) => {
    for (let more = market.advance(untilMs, recordsPerRequest); more.length > 0;) {
      for (const [kind, records] of Map.groupBy(more, (record) => record.kind)) {
        await producer.send(
          topicOf[kind],
          records.map(({ value, timestampMs, sequence }) => ({ value, timestampMs, partition: sequence % partitions })),
        );
        if (kind !== 'trades') continue;
        sentTrades += records.length;
        jetton ??= /"token_bought_address":"(0:[^"]+)"/.exec(records[0]?.value ?? '')?.[1];
      }
      simulatedMs = more.at(-1)?.timestampMs ?? simulatedMs;
      more = market.advance(untilMs, recordsPerRequest);
    }
  };
  await send(startMs);

  const aggregator = await stack.app('aggregator', env);
  const [statistics, metrics] = await Promise.all([stack.app('statistics', env), stack.app('metrics', env)]);
  const gateway = await stack.app('gateway', {
    ...env,
    RATE_LIMITS: 'off',
    STATISTICS_URL: statistics.url,
    METRICS_URL: metrics.url,
  });
  const apps = { aggregator, statistics, metrics, gateway };
  const processes: [string, number][] = [
    ['Kafka', stack.kafkaPid],
    ['engine', stack.clickhousePid],
    ['PostgreSQL (postmaster)', stack.postgresPid],
    ...Object.entries(apps).map(([app, { pid }]): [string, number] => [app, pid]),
    ['producer (this one)', process.pid],
  ];
  const reader = createReader(settings, { application: 'benchmark' });
  const read = async () => {
    const [row] = await reader.query(inputStatus, { topic: topics.DEX_TRADES_TOPIC });
    if (row === undefined) return 0;
    return InputStatus.parse(JSON.parse(row.status)).partitions.reduce(
      (sum, { position }) => sum + Number(position),
      0,
    );
  };

  const samples: Sample[] = [];
  const heaps: Sample[] = [];
  const began = performance.now();
  const endMs = startMs + options.hours * hourMs;
  const isOver = () => performance.now() - began > options.minutes * 60_000;
  const stopSampling = new AbortController();
  const every = async (periodMs: number, work: () => void | Promise<void>) => {
    while (!stopSampling.signal.aborted) {
      await work();
      await pause(periodMs, undefined, { signal: stopSampling.signal }).catch(() => undefined);
    }
  };
  let asked = 0;
  const sampling = every(sampleEveryMs, () => {
    samples.push({ hours: (simulatedMs - startMs) / hourMs, mib: processes.map(([, pid]) => residentMib(pid)) });
  });
  const heapSampling = every(sampleEveryMs, async () => {
    const hours = (simulatedMs - startMs) / hourMs;
    heaps.push({ hours, mib: await Promise.all(Object.values(apps).map(({ metricsUrl }) => heapMib(metricsUrl))) });
  });
  const writer = createWriter(settings, { application: 'benchmark', lane: 'background' });
  const engineSamples: EngineMemory[] = [];
  const engineSampling = every(engineSampleEveryMs, async () => {
    engineSamples.push(await engineMemory(reader, stack.clickhousePid));
  });
  // What is freed and not yet given back hides what is held: once in a while it is given back, and looked at then.
  const purged: number[] = [];
  const purging = every(purgeEveryMs, async () => {
    await writer.command(purge, {});
    purged.push(anonymousMib(stack.clickhousePid));
  });
  const asking = every(askEveryMs, async () => {
    if (jetton === undefined) return;
    const response = await fetch(`${gateway.url}/v1/jettons/${encodeURIComponent(jetton)}/stats`);
    await response.arrayBuffer();
    if (response.ok) asked += 1;
  });
  while (simulatedMs < endMs - hourMs / options.rate && !isOver()) {
    await send(Math.min(endMs, simulatedMs + (recordsPerRequest / options.rate) * 1_000));
    while (sentTrades - (await read()) > backlogMax && !isOver()) await pause(100);
  }
  stopSampling.abort();
  await Promise.all([sampling, heapSampling, engineSampling, purging, asking]);
  const seconds = (performance.now() - began) / 1_000;
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)];
  const half = samples.slice(Math.floor(samples.length / 2));
  const rows = processes.map(([what], index) => {
    const of = (some: readonly Sample[]) => some.map(({ mib }) => mib[index] ?? Number.NaN);
    const line = (some: readonly Sample[]) => some.map(({ hours, mib }) => [hours, mib[index] ?? Number.NaN] as const);
    return [
      what,
      mean(of(first)).toFixed(0),
      mean(of(last)).toFixed(0),
      Math.max(...of(samples)).toFixed(0),
      slope(line(samples)).toFixed(2),
      slope(line(half)).toFixed(2),
    ];
  });
  console.log(
    `${sentTrades} trades of ${((simulatedMs - startMs) / hourMs).toFixed(1)} simulated hours in ${seconds.toFixed(0)} s, ` +
      `${(sentTrades / seconds).toFixed(0)} trades/s; ${asked} answers`,
  );
  await writeReport('soak', { ...options, sentTrades, seconds: Math.round(seconds), asked }, [
    ['process', 'first quarter MiB', 'last quarter MiB', 'peak MiB', 'MiB/simulated hour', 'in the second half'],
    ...rows,
  ]);
  const quarterOf = (index: number, number: number) =>
    Math.min(...ofQuarter(heaps, number).map(({ mib }) => mib[index] ?? Number.NaN));
  await writeReport('soak-heaps', { ...options, hours: (simulatedMs - startMs) / hourMs }, [
    ['least of heap and buffers, MiB', '1st quarter', '2nd', '3rd', '4th'],
    ...Object.keys(apps).map((app, index) => [
      app,
      ...[0, 1, 2, 3].map((number) => quarterOf(index, number).toFixed(1)),
    ]),
  ]);
  const engineKinds = ['anonymous', 'file', 'tracked', 'caches', 'primaryKeys', 'parts', 'formerParts'] as const;
  await writeReport('soak-engine', { ...options, hours: (simulatedMs - startMs) / hourMs }, [
    ['engine, mean', '1st quarter', '2nd', '3rd', '4th'],
    ...engineKinds.map((kind) => [
      kind,
      ...[0, 1, 2, 3].map((number) => mean(ofQuarter(engineSamples, number).map((one) => one[kind])).toFixed(1)),
    ]),
    [
      'anonymous, least after a purge',
      ...[0, 1, 2, 3].map((number) => Math.min(...ofQuarter(purged, number)).toFixed(1)),
    ],
  ]);
  await writer.close();
  await reader.close();
  await producer.disconnect();
} finally {
  await stack.stop();
}
