import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@jetton-analytics/testing';
import { Aggregators, type Armament, type Tally } from './aggregators.js';
import { compareTable } from './compare-buckets.js';
import { compareSnapshots, isSnapshotOf, legsByJetton } from './compare-snapshots.js';
import {
  compareDeadLetters,
  compareRollupTopics,
  compareStatisticsTopic,
  type TopicFigures,
} from './compare-topics.js';
import { prepareBed, type FaultBed } from './fault-bed.js';
import { FaultFeed } from './fault-feed.js';
import { sessionTimeoutMs, type FaultOptions } from './fault-options.js';
import { Findings } from './findings.js';
import { armaments, FaultMaker, type FaultTally } from './make-faults.js';
import { produceFeed, Sender } from './produce-feed.js';
import { Progress } from './progress.js';
import { readProduced, type Produced } from './read-produced.js';
import type { Stores } from './stores.js';

/** What a run did and what it found. */
export interface FaultReport {
  readonly options: FaultOptions;
  readonly findings: Findings;
  /** Of hours, days, snapshots and their topics, which follow the minutes. */
  readonly group: Tally;
  readonly faults: FaultTally;
  readonly produced: {
    readonly acknowledged: number;
    readonly inLog: number;
    readonly accepted: number;
    readonly skipped: number;
    readonly bad: number;
    readonly events: number;
  };
  readonly letters: { readonly letters: number; readonly copies: number };
  readonly topics: TopicFigures;
  readonly faultSeconds: number;
  /** From the last restart of all until everything was committed. */
  readonly caughtUpMs: number;
  readonly settledMs: number;
  readonly seconds: number;
}

export interface RunContext {
  /** Where the service is built. */
  readonly root: string;
  readonly stores: Stores;
  readonly tell: (line: string) => void;
  /** Told every line that any aggregator writes. */
  readonly onLine?: (index: number, line: string) => void;
  /** Simulated seconds between two events. */
  readonly secondsPerEvent?: number;
  /** Whether it ends with the comparison of the minutes where these differ: what follows them differs too. */
  readonly endsAtFirst?: boolean;
  /** Without it, armaments by the seed. */
  readonly nextArmament?: () => Armament | undefined;
}

const stallMs = sessionTimeoutMs + 3_000;
const hourMs = 3_600_000;
const catchUpSecondsMax = 900;

/**
 * Produces a hostile feed while processes, stores and the group fail; then lets everything come to rest and compares all
 * that was written with what the messages say. Throws where the group does not come to rest.
 */
export async function runFaults(options: FaultOptions, context: RunContext): Promise<FaultReport> {
  const { root, stores, tell } = context;
  const startedMs = performance.now();
  const bed = await prepareBed(root, stores, options);
  const progress = new Progress(bed.kafka, bed.tradesTopic, bed.groupId);
  const group = new Aggregators({
    root,
    env: bed.env,
    stallMs,
    clockShiftsMs: [0, hourMs, 0, -hourMs],
    ...(context.onLine !== undefined && { onLine: context.onLine }),
    nextArmament: context.nextArmament ?? armaments(options.seed + 2),
  });
  const sender = new Sender(bed.kafka, bed.tradesTopic);
  const faults = new FaultMaker(bed, stores, group, progress, options);
  try {
    const feed = new FaultFeed(options.seed, options.partitions, context.secondsPerEvent ?? 1);
    group.areArmed = true;
    for (let index = 0; index < options.instances; index += 1) await group.start(index);
    tell(`${elapsed(startedMs)} ${options.instances} aggregators of group ${bed.groupId} started`);
    const faultsMs = performance.now();
    await makeFaults(options, feed, sender, faults, group, tell);
    const faultSeconds = (performance.now() - faultsMs) / 1_000;

    group.areArmed = false;
    for (const relay of Object.values(bed.relays)) relay.setMode('pass');
    await pollUntil(() => group.stopped === 0, { what: 'whoever is stopped to go on', timeoutMs: stallMs * 2 });
    await progress.caughtUp(catchUpSecondsMax * 1_000);
    tell(`${elapsed(startedMs)} caught up after the faults; a last burst and a last restart of all`);
    await sender.send(feed.rest());
    await group.restartAll();
    const caughtUpMs = await progress.caughtUp(catchUpSecondsMax * 1_000);
    tell(`${elapsed(startedMs)} caught up ${Math.round(caughtUpMs)} ms after the last restart`);

    const checked = await check(bed, options, context, startedMs);
    return {
      options,
      ...checked,
      group: group.tally,
      faults: faults.tally,
      produced: { ...checked.produced, acknowledged: sender.acknowledged, events: feed.events },
      faultSeconds,
      caughtUpMs,
      seconds: (performance.now() - startedMs) / 1_000,
    };
  } catch (error) {
    tell(group.tail());
    throw error;
  } finally {
    await group.close();
    await sender.close();
    bed.close();
  }
}

const elapsed = (sinceMs: number) => `${Math.round((performance.now() - sinceMs) / 1_000)} s:`;

async function makeFaults(
  { events, seconds, seed }: FaultOptions,
  feed: FaultFeed,
  sender: Sender,
  faults: FaultMaker,
  group: Aggregators,
  tell: (line: string) => void,
): Promise<void> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), seconds * 1_000);
  const telling = setInterval(() => {
    const { rebalances, replays } = faults.tally;
    tell(
      `  ${sender.acknowledged} records, ${group.totalKills} kills, ${rebalances} rebalances, ${faults.outages} outages, ${replays} replays`,
    );
  }, 30_000);
  try {
    const producing = produceFeed(
      feed,
      sender,
      { count: events, seconds: seconds * 0.9, seed: seed + 3 },
      ended.signal,
    );
    await Promise.all([producing, faults.run(ended.signal)]);
  } finally {
    clearTimeout(timer);
    clearInterval(telling);
  }
}

/** Minutes and dead letters must be right at once; hours, days, snapshots and their topics follow. */
async function check(
  bed: Pick<FaultBed, 'kafka' | 'engine' | 'tradesTopic' | 'rollupPrefix'>,
  options: Pick<FaultOptions, 'settleSeconds'>,
  { tell, endsAtFirst }: Pick<RunContext, 'tell' | 'endsAtFirst'>,
  startedMs: number,
) {
  const produced = await readProduced(bed.kafka, bed.tradesTopic);
  const { winners, assets, asOf } = produced;
  const findings = new Findings();
  const table = (kind: 'jetton' | 'pool', grain: 'minute' | 'hour' | 'day', into: Findings) =>
    compareTable(bed.engine, winners, { kind, grain, asOf }, assets, into);
  for (const kind of ['jetton', 'pool'] as const) await table(kind, 'minute', findings);
  const letters = await compareDeadLetters(bed.kafka, bed.tradesTopic, produced.bad, findings);
  tell(`${elapsed(startedMs)} minutes and dead letters compared: ${findings.count} differences`);

  const topics: TopicFigures = { records: 0, lastIsOlder: 0 };
  const result = { findings, letters, topics, produced: sizes(produced) };
  if (endsAtFirst === true && findings.figures > 0) return { ...result, settledMs: 0 };

  const settlingMs = performance.now();
  await pollUntil(() => isSnapshotOf(bed.engine, asOf, BigInt(produced.records)), {
    what: `snapshots at ${asOf} of all ${produced.records} records`,
    timeoutMs: options.settleSeconds * 1_000,
    intervalMs: 500,
  }).catch((error: unknown) => findings.differs('snapshots', 'all', 'markers', String(error), 'published'));
  const closed = await settled(options.settleSeconds, async (into) => {
    for (const kind of ['jetton', 'pool'] as const) {
      for (const grain of ['hour', 'day'] as const) await table(kind, grain, into);
    }
  });
  const windows = await compareSnapshots(bed.engine, legsByJetton(winners, assets), asOf, assets, findings);
  tell(`${elapsed(startedMs)} hours, days and snapshots compared`);
  const published = await settled(options.settleSeconds, async (into) => {
    topics.records = 0;
    topics.lastIsOlder = 0;
    await compareRollupTopics(bed.kafka, bed.rollupPrefix, produced, into, topics);
    await compareStatisticsTopic(bed.kafka, bed.rollupPrefix, windows, into, topics);
  });
  findings.include(closed);
  findings.include(published);
  return { ...result, settledMs: performance.now() - settlingMs };
}

const sizes = ({ records, accepted, skipped, bad }: Produced) => ({
  inLog: records,
  accepted,
  skipped,
  bad: bad.size,
});

/** Compares again and again until nothing differs, at most for a while; the last findings. */
async function settled(seconds: number, compare: (into: Findings) => Promise<void>): Promise<Findings> {
  const until = performance.now() + seconds * 1_000;
  for (;;) {
    const findings = new Findings();
    await compare(findings);
    if (findings.count === 0 || performance.now() > until) return findings;
    await sleep(1_000);
  }
}
