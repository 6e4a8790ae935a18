import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchedBatch } from '@jetton-analytics/kafka';

export interface FetchPaceOptions {
  /** Resolves when the end offsets of the next second are known. */
  measured(): Promise<void>;
  /** The injected clock, ms since 1970: only decides when to fetch. */
  nowMs(): number;
}

/** Messages since the last fetch from which on another one is made in the middle of the second. */
const manyMessages = 1_000;
const secondMs = 1_000;
const halfMs = 500;
// A second without a measurement is a store or a broker that is away: others find that out.
const waitMsMax = 1_200;

/**
 * When a consumer that has read everything fetches again: right after the end offsets of a second are known. T moves by
 * whole seconds, so what is fetched and written in between is visible no sooner, and each round of writing costs the store
 * about the same however little is in it. Of very many messages half are taken in the middle of the second, so that the
 * round that T waits for is the smaller.
 */
export class FetchPace {
  #release: Promise<void> | undefined;
  #messages = 0;

  constructor(private readonly options: FetchPaceOptions) {}

  /** To be awaited before the next fetch; at most 1.2 s. */
  readonly wait = async ({ messages, isAtEnd }: FetchedBatch, signal: AbortSignal): Promise<void> => {
    if (!isAtEnd || signal.aborted) return;
    this.#messages += messages;
    this.#release ??= this.#nextRelease();
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#release, aborted.promise]);
    signal.removeEventListener('abort', onAbort);
  };

  async #nextRelease(): Promise<void> {
    const ended = new AbortController();
    const after = (ms: number) => sleep(ms, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
    const { options } = this;
    const untilHalfMs = (secondMs + halfMs - (options.nowMs() % secondMs)) % secondMs;
    const halfWithMany = async () => {
      await after(untilHalfMs);
      if (this.#messages < manyMessages) await after(waitMsMax);
    };
    await Promise.race([options.measured(), halfWithMany(), after(waitMsMax)]);
    ended.abort();
    this.#release = undefined;
    this.#messages = 0;
  }
}
