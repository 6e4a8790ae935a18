import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '../support/app-process.js';
import { Random } from '../support/random.js';
import type { Aggregators, Armament } from './aggregators.js';
import type { FaultBed } from './fault-bed.js';
import type { FaultFeed } from './fault-feed.js';
import type { FaultOptions } from './fault-options.js';
import type { Progress } from './progress.js';
import type { RelayMode } from './relays.js';
import { killSteps, stallSteps } from './steps.js';
import { storeNames, type StoreName, type Stores } from './stores.js';

/** How often each kind of fault was made. */
export interface FaultTally {
  readonly outages: Map<string, number>;
  rebalances: number;
  replays: number;
  /** Rebuilds that were done, and that ended otherwise and were tried again. */
  rebuilds: number;
  failedRebuilds: number;
}

const engineModes: readonly RelayMode[] = ['refuse', 'error', 'silent', 'lostReply'];
const brokerModes: readonly RelayMode[] = ['refuse', 'silent', 'lostReply'];
const awayMs = { min: 300, max: 3_000 };
const progressMs = 9_000;
const rebuildAttemptsMax = 12;

const instant = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');

/** What processes do to themselves, every step in turn before any comes again. */
export function armaments(seed: number, stallShare = 0.12): () => Armament | undefined {
  const random = new Random(seed);
  const draw = (of: readonly string[]) => {
    let left: string[] = [];
    return () => {
      if (left.length === 0) left = random.shuffled(of);
      return left.pop() ?? '';
    };
  };
  const [kill, stall] = [draw(killSteps), draw(stallSteps)];
  return () => {
    if (random.chance(0.15)) return undefined;
    const after = random.integer(1, 3);
    return random.chance(stallShare)
      ? { step: stall(), action: 'SIGSTOP', after }
      : { step: kill(), action: 'SIGKILL', after };
  };
}

/** Makes one fault after the other, an outage and then as the seed draws, until there are enough of each kind or the signal ends it. */
export class FaultMaker {
  readonly tally: FaultTally = {
    outages: new Map(),
    rebalances: 0,
    replays: 0,
    rebuilds: 0,
    failedRebuilds: 0,
  };
  readonly #random: Random;
  readonly #bed: FaultBed;
  readonly #stores: Stores;
  readonly #group: Aggregators;
  readonly #progress: Progress;
  readonly #options: FaultOptions;
  readonly #feed: Pick<FaultFeed, 'now'>;
  /** The rebuild under way. */
  #rebuilding: Promise<void> | undefined;
  /** What is wrong just now, in words. */
  matter = 'no outage';
  /** Kinds of outages that are still to come in this round of all kinds. */
  #outagesLeft: string[] = [];

  constructor(
    bed: FaultBed,
    stores: Stores,
    group: Aggregators,
    progress: Progress,
    feed: Pick<FaultFeed, 'now'>,
    options: FaultOptions,
  ) {
    this.#random = new Random(options.seed + 1);
    this.#bed = bed;
    this.#stores = stores;
    this.#group = group;
    this.#progress = progress;
    this.#feed = feed;
    this.#options = options;
  }

  get outages(): number {
    return [...this.tally.outages.values()].reduce((sum, count) => sum + count, 0);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { kills, outages, rebalances, replays, rebuilds } = this.#options;
    const wanted = kills + outages + rebalances;
    // First, so that also a run which a slow machine cuts short had one; processes are armed from their start.
    if (outages > 0 && !signal.aborted) await this.#outage();
    while (!signal.aborted) {
      const left = {
        kill: Math.max(0, kills - this.#group.totalKills),
        outage: Math.max(0, outages - this.outages),
        rebalance: Math.max(0, rebalances - this.tally.rebalances),
      };
      const done = 1 - (left.kill + left.outage + left.rebalance) / wanted;
      // Each kind as often as it is behind, so that they end together.
      const share = {
        kill: left.kill / Math.max(1, kills),
        outage: left.outage / Math.max(1, outages),
        rebalance: left.rebalance / Math.max(1, rebalances),
      };
      const total = share.kill + share.outage + share.rebalance;
      // Early, while there is little to read again.
      if (this.tally.replays < replays && done > (this.tally.replays + 1) * 0.08) await this.#replay();
      if (this.tally.rebuilds < rebuilds && done > (this.tally.rebuilds + 1) / (rebuilds + 2)) this.#beginRebuild();
      if (total === 0) break;
      const roll = this.#random.next() * total;
      if (roll < share.outage) await this.#outage();
      else if (roll < share.outage + share.rebalance) await this.#rebalance();
      else await this.#killSome(left.kill);
    }
    if (this.tally.rebuilds < rebuilds) this.#beginRebuild();
    await this.#rebuilding;
  }

  /** Has the operator's tool recompute a stretch of the feed, until it says that it has; meanwhile all goes on. */
  #beginRebuild(): void {
    this.#rebuilding ??= this.#rebuild().finally(() => (this.#rebuilding = undefined));
  }

  async #rebuild(): Promise<void> {
    const to = Math.floor(this.#feed.now / 60) * 60;
    const from = to - this.#random.integer(1, 12) * 3_600;
    const range = ['--from', instant(from), '--to', instant(to), '--by', 'fault suite'];
    for (let attempt = 1; attempt <= rebuildAttemptsMax; attempt += 1) {
      try {
        await runProgram('admin', 'main.js', this.#bed.env, ['rebuild', ...range], this.#bed.root);
        this.tally.rebuilds += 1;
        return;
      } catch (error) {
        this.tally.failedRebuilds += 1;
        if (attempt === rebuildAttemptsMax) throw error;
        await sleep(1_000);
      }
    }
  }

  async #killSome(most: number): Promise<void> {
    const random = this.#random;
    await sleep(random.integer(0, 1_500));
    const running = random.shuffled(this.#group.running);
    for (const index of running.slice(0, Math.min(most, random.integer(1, running.length)))) {
      this.#group.kill(index);
      await sleep(random.integer(0, 100));
    }
    // Half of the time others follow before anybody is at work again.
    if (random.chance(0.5)) await this.#progress.moved(progressMs);
  }

  async #rebalance(): Promise<void> {
    const random = this.#random;
    const extra = this.#options.instances;
    if (random.chance(0.5)) {
      await this.#group.start(extra);
      this.tally.rebalances += 1;
      await sleep(random.integer(500, 3_000));
      await this.#group.terminate(extra);
      this.tally.rebalances += 1;
    } else {
      const [index] = random.shuffled(this.#group.running);
      if (index === undefined) return;
      await this.#group.terminate(index);
      this.tally.rebalances += 1;
      await sleep(random.integer(0, 1_000));
      await this.#group.start(index);
    }
    await sleep(random.integer(200, 2_000));
  }

  async #outage(): Promise<void> {
    if (this.#outagesLeft.length === 0) {
      const kinds = storeNames.flatMap((store) => {
        const modes = store === 'engine' ? engineModes : brokerModes;
        const own = this.#stores.restart === undefined ? [] : [`${store} killed`];
        return [...modes.map((mode) => `${store} ${mode}`), ...own];
      });
      this.#outagesLeft = this.#random.shuffled([
        ...kinds,
        ...(this.#stores.fillDisk === undefined ? [] : ['disk full']),
      ]);
    }
    const kind = this.#outagesLeft.pop() ?? '';
    this.tally.outages.set(kind, (this.tally.outages.get(kind) ?? 0) + 1);
    const forMs = this.#random.integer(awayMs.min, awayMs.max);
    this.matter = kind;
    if (kind === 'disk full') await this.#stores.fillDisk?.(forMs * 2);
    else {
      const [store, mode] = kind.split(' ') as [StoreName, RelayMode | 'killed'];
      if (mode === 'killed') await this.#stores.restart?.(store, forMs);
      else {
        this.#bed.relays[store].setMode(mode);
        // The engine's silence is longer than the deadline of a statement.
        await sleep(mode === 'silent' && store === 'engine' ? this.#options.statementMs + 1_500 : forMs);
        this.#bed.relays[store].setMode('pass');
      }
    }
    this.matter = 'no outage';
    await this.#progress.moved(progressMs);
  }

  /** Stops all, sets the group back to the earliest offsets, starts all. */
  async #replay(): Promise<void> {
    this.tally.replays += 1;
    const { instances } = this.#options;
    const indexes = Array.from({ length: instances }, (_, index) => index);
    await Promise.all(indexes.map((index) => this.#group.terminate(index)));
    await this.#progress.resetToEarliest();
    await Promise.all(indexes.map((index) => this.#group.start(index)));
  }
}
