import { setTimeout as sleep } from 'node:timers/promises';
import { AppProcess } from '../support/app-process.js';
import { Aggregators, type Tally } from './aggregators.js';
import { compareTable } from './compare-buckets.js';
import { Deliveries } from './deliveries.js';
import { prepareBed } from './fault-bed.js';
import { FaultFeed, feedJettons } from './fault-feed.js';
import { shortRun } from './fault-options.js';
import { Findings } from './findings.js';
import { GatewayPair, type PairTally } from './gateway-pair.js';
import { produceFeed, Sender } from './produce-feed.js';
import { Progress } from './progress.js';
import { queryEnv } from './query-watch.js';
import { readProduced } from './read-produced.js';
import type { RunContext } from './run-faults.js';
import { Random } from '../support/random.js';

export interface SigtermOptions {
  readonly seed: number;
  /** SIGTERMs to aggregators, and as many to gateways at the same time. */
  readonly times: number;
  readonly recordsPerSecond: number;
}

/** What was seen while processes were asked to end under load. */
export interface SigtermReport {
  readonly options: SigtermOptions;
  readonly records: number;
  readonly aggregators: Tally;
  readonly deliveries: Deliveries;
  readonly gateways: PairTally;
  readonly findings: Findings;
  readonly seconds: number;
}

/** The grace of an app by default (SHUTDOWN_GRACE_MS); a gateway drains before. */
export const graceMs = 10_000;
const instances = 2;
const secondsMax = 3_600;

/** SIGTERM to one process after the other while records and requests come in; each is replaced when it has ended. */
export async function runSigterms(options: SigtermOptions, context: RunContext): Promise<SigtermReport> {
  const { root, stores, tell } = context;
  const startedMs = performance.now();
  const bed = await prepareBed(root, stores, { ...shortRun, seed: options.seed });
  const deliveries = new Deliveries();
  const group = new Aggregators({
    root,
    env: { ...bed.env, FAULT_TELL_BATCHES: '1' },
    stallMs: 0,
    clockShiftsMs: [],
    onLine: (_index, line) => deliveries.see(line),
    nextArmament: () => undefined,
  });
  const sender = new Sender(bed.kafka, bed.tradesTopic);
  const feed = new FaultFeed(options.seed, shortRun.partitions, context.secondsPerEvent ?? 1);
  const ended = new AbortController();
  let statistics: AppProcess | undefined;
  let pair: GatewayPair | undefined;
  let producing: Promise<void> = Promise.resolve();
  try {
    for (let index = 0; index < instances; index += 1) await group.start(index);
    const count = options.recordsPerSecond * secondsMax;
    producing = produceFeed(feed, sender, { count, seconds: secondsMax, seed: options.seed + 3 }, ended.signal);
    statistics = await AppProcess.start('statistics', queryEnv(bed.env), '/livez', { root });
    pair = new GatewayPair(
      root,
      { ...queryEnv(bed.env), STATISTICS_URL: statistics.url },
      `/v1/jettons/${feedJettons[0]}/stats`,
    );
    await pair.start();
    const gateways = pair;
    await Promise.all([
      replaceAggregators(group, options, tell),
      (async () => {
        for (let turn = 0; turn < options.times; turn += 1) await gateways.replace(turn % 2);
      })(),
    ]);
    ended.abort();
    await producing.catch(() => undefined);
    await sender.send(feed.rest());
    await new Progress(bed.kafka, bed.tradesTopic, bed.groupId).caughtUp(120_000);
    const { winners, assets, asOf, records } = await readProduced(bed.kafka, bed.tradesTopic);
    const findings = new Findings();
    for (const kind of ['jetton', 'pool'] as const) {
      await compareTable(bed.engine, winners, { kind, grain: 'minute', asOf }, assets, findings);
    }
    return {
      options,
      records,
      aggregators: group.tally,
      deliveries,
      gateways: pair.tally,
      findings,
      seconds: (performance.now() - startedMs) / 1_000,
    };
  } catch (error) {
    tell(group.tail());
    throw error;
  } finally {
    ended.abort();
    await producing.catch(() => undefined);
    await pair?.close();
    await statistics?.stop();
    await group.close();
    await sender.close();
    await bed.close();
  }
}

async function replaceAggregators(
  group: Aggregators,
  { seed, times }: SigtermOptions,
  tell: (line: string) => void,
): Promise<void> {
  const random = new Random(seed + 1);
  for (let turn = 0; turn < times; turn += 1) {
    // At any moment of a batch, of a start and of a rebalance.
    await sleep(random.integer(200, 4_000));
    const index = turn % instances;
    await group.terminate(index);
    await group.start(index);
    if ((turn + 1) % 10 === 0) tell(`  ${turn + 1} of ${times} aggregators have ended after SIGTERM`);
  }
}
