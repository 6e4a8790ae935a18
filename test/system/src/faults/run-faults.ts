import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@jetton-analytics/testing';
import { runProgram } from '../support/app-process.js';
import { Random } from '../support/random.js';
import { Aggregators, type Armament, type Tally } from './aggregators.js';
import { compareTable } from './compare-buckets.js';
import { compareSnapshots, haveSnapshotsFollowed, isSnapshotOf, legsByJetton } from './compare-snapshots.js';
import { compareDataset, compareDeadLetters, compareRollupTopics, type TopicFigures } from './compare-topics.js';
import { prepareBed, type FaultBed } from './fault-bed.js';
import { FaultFeed } from './fault-feed.js';
import { sessionTimeoutMs, type FaultOptions } from './fault-options.js';
import { Findings } from './findings.js';
import { followLate } from './late-subscribers.js';
import { armaments, FaultMaker, type FaultTally } from './make-faults.js';
import { produceFeed, Sender } from './produce-feed.js';
import { Progress } from './progress.js';
import { QueryWatch, type WatchTally } from './query-watch.js';
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
  /** Kills of the subscribers that started late; undefined where the comparison ended before. */
  readonly subscriberKills: number | undefined;
  /** How those fared who asked the query apps; undefined where there were none. */
  readonly watch: WatchTally | undefined;
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
/** Before the query apps are asked: they know no jetton before its first trade. */
const firstRecords = 1_000;

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
  const feed = new FaultFeed(options.seed, options.partitions, context.secondsPerEvent ?? 1);
  const faults = new FaultMaker(bed, stores, group, progress, feed, options);
  let watch: QueryWatch | undefined;
  try {
    await group.start(0);
    if (options.queryApps.length > 0) {
      await sender.send(feed.next(firstRecords));
      watch = await QueryWatch.start(root, bed.env, options.queryApps);
      await watch.begin(() => faults.matter);
      tell(`${elapsed(startedMs)} the query apps answer`);
    }
    group.areArmed = true;
    for (let index = 1; index < options.instances; index += 1) await group.start(index);
    tell(`${elapsed(startedMs)} ${options.instances} aggregators of group ${bed.groupId} started`);
    const faultsMs = performance.now();
    await makeFaults(options, feed, sender, faults, group, tell);
    const faultSeconds = (performance.now() - faultsMs) / 1_000;

    group.areArmed = false;
    for (const relay of Object.values(bed.relays)) relay.setMode('pass');
    await pollUntil(() => group.stopped === 0, { what: 'whoever is stopped to go on', timeoutMs: stallMs * 2 });
    // What the time did not allow.
    await sender.send(feed.next(Math.max(0, options.events - sender.acknowledged)));
    await progress.caughtUp(catchUpSecondsMax * 1_000);
    tell(`${elapsed(startedMs)} caught up after the faults`);
    // What a leader has put off during a backlog would be measured with the restart.
    const { end } = await progress.read();
    await pollUntil(() => haveSnapshotsFollowed(bed.engine, end), {
      what: 'the snapshots to follow',
      timeoutMs: catchUpSecondsMax * 1_000,
      intervalMs: 500,
    });
    tell(`${elapsed(startedMs)} the snapshots have followed; a last burst and a last restart of all`);
    await sender.send(feed.rest());
    await group.restartAll();
    const caughtUpMs = await progress.caughtUp(catchUpSecondsMax * 1_000);
    tell(`${elapsed(startedMs)} caught up ${Math.round(caughtUpMs)} ms after the last restart`);

    // To compare a million records holds this thread up for longer than whoever asks waits for an answer.
    await watch?.end();
    const checked = await check(bed, options, context, startedMs);
    return {
      options,
      ...checked,
      group: group.tally,
      faults: faults.tally,
      watch: watch?.tally,
      produced: { ...checked.produced, acknowledged: sender.acknowledged, events: feed.events },
      faultSeconds,
      caughtUpMs,
      seconds: (performance.now() - startedMs) / 1_000,
    };
  } catch (error) {
    tell([group.tail(), watch?.tail() ?? ''].join('\n'));
    throw error;
  } finally {
    await watch?.close();
    await group.close();
    await sender.close();
    await bed.close();
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
  }, 180_000);
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
  bed: FaultBed,
  options: FaultOptions,
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

  const result = { findings, letters, produced: sizes(produced) };
  let topics: TopicFigures = { written: 0, records: 0, lastIsOlder: 0 };
  if (endsAtFirst === true && findings.figures > 0) {
    return { ...result, topics, subscriberKills: undefined, settledMs: 0 };
  }

  const settlingMs = performance.now();
  await pollUntil(() => isSnapshotOf(bed.engine, asOf, BigInt(produced.records)), {
    what: `snapshots at ${asOf} of all ${produced.records} records`,
    timeoutMs: options.settleSeconds * 1_000,
    intervalMs: 500,
  }).catch((error: unknown) => findings.differs('snapshots', 'all', 'markers', String(error), 'published'));
  const closed = await settled(options.settleSeconds, tell, async (into) => {
    for (const kind of ['jetton', 'pool'] as const) {
      for (const grain of ['hour', 'day'] as const) await table(kind, grain, into);
    }
  });
  const windows = await compareSnapshots(bed.engine, legsByJetton(winners, assets), asOf, assets, findings);
  tell(`${elapsed(startedMs)} hours, days and snapshots compared`);
  const expected = { produced, windows };
  const published = await settled(options.settleSeconds, tell, async (into) => {
    topics = await compareRollupTopics(bed.kafka, bed.rollupPrefix, expected, into);
  });
  tell(`${elapsed(startedMs)} topics compared`);
  findings.include(closed);
  findings.include(published);
  const settledMs = performance.now() - settlingMs;
  const random = new Random(options.seed + 4);
  let subscriberKills = 0;
  for (const dataset of options.lateSubscribers) {
    const { newest, killed } = await followLate(bed, dataset, options.subscriberKills, random);
    subscriberKills += killed;
    compareDataset(`late subscriber of ${dataset}`, dataset, newest, expected, findings);
  }
  const listed = await listedLetters(bed);
  findings.compared('dlq list');
  findings.equal('dlq list', bed.tradesTopic, 'places', String(listed), String(produced.bad.size));
  tell(`${elapsed(startedMs)} late subscribers and the list of dead letters compared`);
  return { ...result, topics, subscriberKills, settledMs };
}

/** The places that the operator's tool counts. */
async function listedLetters({ directEnv, root, tradesTopic }: FaultBed): Promise<number> {
  const told = await runProgram('admin', 'main.js', directEnv, ['dlq', 'list', '--json'], root);
  const { topics } = JSON.parse(told) as { topics: readonly { topic: string; letters: number }[] };
  return topics.find(({ topic }) => topic === tradesTopic)?.letters ?? -1;
}

const sizes = ({ records, accepted, skipped, bad }: Produced) => ({
  inLog: records,
  accepted,
  skipped,
  bad: bad.size,
});

/** Compares again and again until nothing differs, at most for a while; the last findings. */
async function settled(
  seconds: number,
  tell: (line: string) => void,
  compare: (into: Findings) => Promise<void>,
): Promise<Findings> {
  const until = performance.now() + seconds * 1_000;
  for (;;) {
    const findings = new Findings();
    await compare(findings);
    if (findings.count === 0 || performance.now() > until) return findings;
    tell(`  ${findings.count} not there yet, as ${findings.examples[0]?.slice(0, 150)}`);
    await sleep(1_000);
  }
}
