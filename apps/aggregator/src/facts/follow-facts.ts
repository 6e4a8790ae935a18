import type { KafkaLogger } from '@jetton-analytics/kafka';
import { pause } from '@jetton-analytics/service';
import type { AssetFacts, FactSource } from '../snapshots/asset-facts.js';
import type { KnownFacts } from './known-facts.js';
import type { ReadFacts } from './read-facts.js';

export interface FollowFactsOptions {
  readonly facts: KnownFacts;
  /** By name, for the log. Each is read by itself: while one is away, the other goes on. */
  readonly sources: Readonly<Record<string, ReadFacts>>;
  readonly logger: KafkaLogger;
  readonly periodMs?: number;
}

const defaultPeriodMs = 1_000;
const backoffMsMax = 5_000;

/**
 * Keeps the facts up to date with their sources. While a source is away, what it said last stays; only before its first
 * answer there is nothing to calculate with, see `ready`.
 */
export class FollowFacts implements FactSource {
  readonly #stopped = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  #running: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: FollowFactsOptions) {}

  get ready(): Promise<void> {
    return this.#first.promise;
  }

  view(): AssetFacts & { release(): void } {
    return this.options.facts.view();
  }

  start(): void {
    const begun = Object.keys(this.options.sources).map((name) => [name, Promise.withResolvers<void>()] as const);
    this.#running = Promise.all(begun.map(([name, first]) => this.#follow(name, first.resolve)));
    void this.#settle(begun.map(([, first]) => first.promise));
  }

  /** Resolves when the reads under way are over. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #settle(firsts: readonly Promise<void>[]): Promise<void> {
    await Promise.all(firsts);
    this.#first.resolve();
  }

  async #follow(name: string, onRead: () => void): Promise<void> {
    const { sources, logger, periodMs = defaultPeriodMs } = this.options;
    const { signal } = this.#stopped;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await sources[name]?.();
        if (failures > 0) logger.info({ source: name, failures }, 'the source of facts answers again');
        failures = 0;
        onRead();
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        // One line per outage, not one per attempt.
        if (failures === 1) logger.warn({ source: name, err: error }, 'a source of facts is away; the last ones stay');
      }
      const delayMs = Math.min(backoffMsMax, periodMs * 2 ** Math.min(failures, 10));
      await pause(delayMs, signal).catch(() => undefined);
    }
  }
}
