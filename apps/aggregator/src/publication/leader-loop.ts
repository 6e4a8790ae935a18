import { setTimeout as sleep } from 'node:timers/promises';

export interface LeaderLoopOptions {
  /** Least time between the beginnings of two rounds. */
  readonly periodMs: number;
  /** Whether a round follows without being woken. */
  readonly isPeriodic: boolean;
  work(assertLeading: () => void): Promise<void>;
  onError(error: unknown): void;
}

/** Rounds leave most of the time to trades: what they publish is read from tables that are complete without them. */
const restFactor = 3;
/** Where somebody begins to lead, trades have waited: a periodic round lets them go first. */
const firstAfterMs = 6_000;

/**
 * Repeats the work while this process leads: no sooner than `periodMs` after the last round began, and after a rest three
 * times as long as that round took; periodic work for the first time after 6 s. A failure is told and tried again.
 */
export class LeaderLoop {
  readonly #ended = new AbortController();
  #isWoken = true;
  #wake: () => void = () => undefined;
  readonly #running: Promise<void>;

  /** `assertLeading` throws once somebody else leads. */
  constructor(
    private readonly options: LeaderLoopOptions,
    assertLeading: () => void,
  ) {
    this.#running = this.#run(() => {
      this.#ended.signal.throwIfAborted();
      assertLeading();
    });
  }

  /** There is something to do. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Ends the loop and waits for what is under way. */
  async stop(): Promise<void> {
    this.#ended.abort();
    this.#wake();
    await this.#running;
  }

  async #run(assertLeading: () => void): Promise<void> {
    const { signal } = this.#ended;
    if (this.options.isPeriodic) await pause(Math.min(firstAfterMs, this.options.periodMs), signal);
    while (!signal.aborted) {
      if (!this.#isWoken) await new Promise<void>((resolve) => (this.#wake = resolve));
      if (signal.aborted) return;
      this.#isWoken = this.options.isPeriodic;
      const startedMs = performance.now();
      try {
        await this.options.work(assertLeading);
      } catch (error) {
        if (signal.aborted) return;
        this.options.onError(error);
        this.#isWoken = true;
      }
      const tookMs = performance.now() - startedMs;
      await pause(Math.max(this.options.periodMs - tookMs, tookMs * restFactor), signal);
    }
  }
}

/** Ends early, without an error, once the signal is aborted. */
const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined);
