import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import type { PartitionWatermark } from '@jetton-analytics/common';
import { type ClockMode, calculatedAt, clockModeText, nextT, type Step, steps } from '@jetton-analytics/figures';
import type { GenerationToken, KafkaLogger } from '@jetton-analytics/kafka';
import type { AssetFacts, FactSource } from '../snapshots/asset-facts.js';
import type { PriceSettings } from '../snapshots/price-book.js';
import { type Instant, StepSnapshots } from '../snapshots/step-snapshots.js';
import { FinishedRebuilds, materialiseClosed } from '@jetton-analytics/rollups';
import { keptFrom } from '../retention/bounds.js';
import { dropDays } from '../retention/drop-days.js';
import { dropOldNotes } from '../retention/drop-old-notes.js';
import { inputStatusOf, insertInputStatus } from '../status/input-status.js';
import type { FollowWatermarks } from '../watermarks/follow-watermarks.js';
import { behindSecondsMax, isCatchingUp, isTakingOver } from './catching-up.js';
import { Changes } from './changes.js';
import { Precedence } from './precedence.js';
import { runStepLoop } from './step-loop.js';
import { beginTerm, dropFormerTerms } from './terms.query.js';

export interface LeaderOptions {
  readonly store: ClickHouseWriter;
  /** For what makes way for everything else: the longer windows, closed hours and days, and what is dropped. */
  readonly backgroundStore: ClickHouseWriter;
  readonly watermarks: FollowWatermarks;
  readonly tradesTopic: string;
  /** Topics that T does not depend on; the status tells of them too. */
  readonly otherTopics: readonly string[];
  readonly clock: ClockMode;
  readonly feedDelay: 'auto' | number;
  readonly stepSeconds: Readonly<Record<Step, number>>;
  readonly facts: FactSource;
  readonly prices: PriceSettings;
  /** Days that the ledger keeps; undefined: everything. Other clocks than the wall's keep everything. */
  readonly retentionDays: number | undefined;
  readonly instanceId: string;
  readonly logger: KafkaLogger;
  /** The injected clock, ms since 1970. */
  nowMs(): number;
  /** How many partitions a topic of the feed has. */
  partitionCount(topic: string): Promise<number>;
  onAsOf(asOf: number): void;
}

const statusPeriodMs = 1_000;
const rebuildsPeriodMs = 2_000;
const materialisePeriodMs = 10_000;
const dropPeriodMs = 60_000;
const formerTermsKeptMs = 60_000;
const retryMs = 1_000;
// The first snapshot of a step takes minutes with a hundred thousand jettons.
const heldMsMax = 300_000;

const utcDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * One term of leadership: T from the watermarks of all partitions, the snapshots of the three steps, closed hours and
 * days, and the status of the input. Everything it writes is a function of the ledger and T, so that two leaders by
 * mistake do no harm: the greater term is read.
 */
export class Leader {
  readonly #ended = new AbortController();
  readonly #stopping = Promise.withResolvers<void>();
  readonly #changes = new Changes();
  readonly #precedence = new Precedence();
  #running: Promise<unknown> = Promise.resolve();
  #partitions = 0;
  readonly #otherPartitions = new Map<string, number>();
  #term = 0;
  #takenOverMs = -Infinity;
  #inherited: readonly (PartitionWatermark | undefined)[] = [];
  #lastT: number | undefined;
  #delaySeconds = 0;
  readonly #finishedRebuilds: FinishedRebuilds;
  #rebuilds = 0;
  readonly #published = new Map<Step, Instant>();
  /** Since when a step, or without one the closed hours and days, waits for others. */
  readonly #heldSinceMs = new Map<Step | undefined, number>();

  constructor(
    private readonly options: LeaderOptions,
    private readonly generation: GenerationToken,
  ) {
    this.#finishedRebuilds = new FinishedRebuilds(options.store);
  }

  start(): void {
    this.#running = this.#lead();
  }

  /** Ends the term and waits for what is under way. */
  async stop(): Promise<void> {
    this.#ended.abort();
    this.#stopping.resolve();
    this.#changes.notify();
    await this.#running;
  }

  /** To be called when a watermark has changed. */
  watermarkChanged(): void {
    this.#changes.notify();
  }

  /** T of the newest calculation, Unix seconds. */
  get asOf(): number | undefined {
    return this.#lastT;
  }

  /** The feed's delay that T was last calculated with. */
  get delaySeconds(): number {
    return this.#delaySeconds;
  }

  async #lead(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#begin();
        break;
      } catch (error) {
        if (signal.aborted) return;
        this.options.logger.warn({ err: error }, 'the term of leadership could not begin; trying again');
        await this.#changes.wait(retryMs);
      }
    }
    if (signal.aborted) return;
    await Promise.all([
      ...steps.map((step) => this.#runStep(step)),
      this.#every(materialisePeriodMs, () => this.#materialise()),
      this.#every(statusPeriodMs, () => this.#writeStatus()),
      this.#every(rebuildsPeriodMs, () => this.#lookForRebuilds()),
      this.#onceAllPublished(() => this.#every(dropPeriodMs, () => this.#dropOld())),
      this.#onceAllPublished(() => this.#dropFormerTerms()),
    ]);
  }

  async #begin(): Promise<void> {
    const { store, tradesTopic, otherTopics, clock, instanceId, watermarks, logger } = this.options;
    this.#partitions = await this.options.partitionCount(tradesTopic);
    for (const topic of otherTopics) this.#otherPartitions.set(topic, await this.options.partitionCount(topic));
    await watermarks.caughtUp;
    // Without the facts the first snapshots would be full of wrong prices. Whoever read them once goes on without their
    // stores.
    await Promise.race([this.options.facts.ready, this.#stopping.promise]);
    this.#ended.signal.throwIfAborted();
    const { term, lastT } = await beginTerm(store, {
      generationId: this.generation.generationId,
      clock: clockModeText(clock),
      leader: instanceId,
      nowS: Math.floor(this.options.nowMs() / 1_000),
    });
    this.#term = term;
    this.#lastT = lastT;
    if (lastT !== undefined) this.#takenOverMs = performance.now();
    this.#inherited = this.#watermarks();
    await this.#lookForRebuilds();
    logger.info({ term, lastT, partitions: this.#partitions }, 'this instance leads');
  }

  async #runStep(step: Step): Promise<void> {
    const facts = this.options.facts.view();
    try {
      await this.#runStepOn(step, facts);
    } finally {
      facts.release();
    }
  }

  #runStepOn(step: Step, facts: AssetFacts): Promise<void> {
    const { prices, logger } = this.options;
    const store = step === 'short' ? this.options.store : this.options.backgroundStore;
    const pause = () => this.#precedence.pause(step);
    return runStepLoop({
      step,
      stepSeconds: this.options.stepSeconds[step],
      snapshots: new StepSnapshots(store, step, this.#term, facts, prices, pause),
      logger,
      signal: this.#ended.signal,
      nowMs: () => performance.now(),
      instant: (stepSeconds) => {
        // Who waits depends on how far T is by now.
        const instant = this.#instant(stepSeconds);
        return this.#isTakingOver() || this.#waitsForOthers(step) ? undefined : instant;
      },
      isCatchingUp: () => this.#isCatchingUp(),
      changed: (timeoutMs) => this.#changes.wait(timeoutMs),
      assertLeading: () => this.#assertLeading(),
      during: (work) => this.#precedence.during(step, work),
      onTaken: (instant) => {
        this.#published.set(step, instant);
        this.options.onAsOf(instant.asOf);
      },
    });
  }

  #isTakingOver(): boolean {
    return isTakingOver(this.#watermarks(), this.#inherited, performance.now() - this.#takenOverMs);
  }

  /**
   * Whether a step before this one is so far behind T that it has to begin anew: after a backlog all of them have, and
   * side by side each would take as long as all. What is asked for most goes first; a step that fails holds nobody for ever.
   */
  #waitsForOthers(step: Step | undefined): boolean {
    const asOf = this.#lastT;
    const before = step === undefined ? steps : steps.slice(0, steps.indexOf(step));
    const isBehind = (one: Step) => (asOf ?? 0) - (this.#published.get(one)?.calculatedAt ?? 0) > behindSecondsMax;
    if (asOf === undefined || !before.some(isBehind)) {
      this.#heldSinceMs.delete(step);
      return false;
    }
    const sinceMs = this.#heldSinceMs.get(step) ?? performance.now();
    this.#heldSinceMs.set(step, sinceMs);
    return performance.now() - sinceMs < heldMsMax;
  }

  #assertLeading(): void {
    this.#ended.signal.throwIfAborted();
    this.generation.assertCurrent();
  }

  #watermarks() {
    return Array.from({ length: this.#partitions }, (_, partition) => this.options.watermarks.of(partition));
  }

  #instant(stepSeconds: number): Instant | undefined {
    const partitions = this.#watermarks();
    const { clock, feedDelay } = this.options;
    const next = nextT({ clock, partitions, feedDelay, lastT: this.#lastT, lastDelaySeconds: this.#delaySeconds });
    this.#delaySeconds = next.delaySeconds;
    if (next.t === undefined || partitions.some((partition) => partition === undefined)) return undefined;
    this.#lastT = next.t;
    return {
      calculatedAt: calculatedAt(next.t, stepSeconds),
      asOf: next.t,
      positions: new Map(partitions.map((partition, index) => [index, partition?.position ?? '0'])),
      markedOn: utcDay(this.options.nowMs()),
      rebuilds: this.#rebuilds,
    };
  }

  /** A rebuild may have changed any bucket, which no touched bucket tells: the next snapshot of each step begins anew. */
  async #lookForRebuilds(): Promise<void> {
    const finished = await this.#finishedRebuilds.count();
    if (finished === this.#rebuilds) return;
    this.#rebuilds = finished;
    this.#changes.notify();
  }

  #isCatchingUp(): boolean {
    const { options } = this;
    const behindSeconds =
      options.clock.mode === 'wall' && this.#lastT !== undefined
        ? options.nowMs() / 1_000 - this.#delaySeconds - this.#lastT
        : undefined;
    return isCatchingUp(this.#watermarks(), behindSeconds);
  }

  async #materialise(): Promise<void> {
    const asOf = this.#lastT;
    // Hours that a backlog is still filling would be written again and again.
    if (asOf === undefined || this.#isTakingOver() || this.#isCatchingUp() || this.#waitsForOthers(undefined)) return;
    const buckets = await materialiseClosed(this.options.backgroundStore, asOf, () => this.#assertLeading());
    if (buckets > 0) this.options.logger.debug({ buckets }, 'closed hours and days written');
  }

  /** Drops what lies behind every snapshot that any step may still take in this term. */
  async #dropOld(): Promise<void> {
    const { backgroundStore: store, retentionDays, clock, logger } = this.options;
    const published = [...this.#published.values()];
    const assertLeading = () => this.#assertLeading();
    const [oldestMarkedOn = ''] = published.map(({ markedOn }) => markedOn).sort();
    await dropOldNotes(store, oldestMarkedOn, assertLeading);
    if (retentionDays === undefined || clock.mode !== 'wall') return;
    const oldestC = Math.min(...published.map((instant) => instant.calculatedAt));
    const days = await dropDays(store, keptFrom(oldestC, retentionDays), assertLeading);
    if (days > 0) logger.info({ days }, 'days of the ledger and their minutes were dropped');
  }

  async #writeStatus(): Promise<void> {
    const { store, tradesTopic, watermarks } = this.options;
    const nowMs = this.options.nowMs();
    const partitions = new Map([[tradesTopic, this.#partitions], ...this.#otherPartitions]);
    const version = ((BigInt(this.#term) << 48n) | BigInt(nowMs)).toString();
    this.#assertLeading();
    const rows = [...partitions].map(([topic, count]) => {
      const status = inputStatusOf({
        topic,
        partitions: Array.from({ length: count }, (_, partition) => watermarks.of(partition, topic)),
        newestWatermarkMs: watermarks.newestAtMs(topic),
        nowMs,
      });
      return [topic, JSON.stringify(status), this.#lastT ?? 0, version] as const;
    });
    await store.insert(insertInputStatus, rows);
  }

  /** Repeats the work until the term ends; a failure is told and tried again with the next period. */
  async #every(periodMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        await work();
      } catch (error) {
        if (!signal.aborted) this.options.logger.warn({ err: error }, 'a periodic task of the leader failed');
      }
      const tookMs = performance.now() - startedAt;
      await this.#changes.pause(Math.max(periodMs - tookMs, tookMs), signal);
    }
  }

  async #onceAllPublished(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted && this.#published.size < steps.length) await this.#changes.wait(retryMs);
    if (!signal.aborted) await work();
  }

  async #dropFormerTerms(): Promise<void> {
    const { signal } = this.#ended;
    await this.#changes.pause(formerTermsKeptMs, signal);
    if (signal.aborted) return;
    try {
      this.#assertLeading();
      await dropFormerTerms(this.options.backgroundStore, this.#term);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'snapshots of former terms stay until the next term');
    }
  }
}
