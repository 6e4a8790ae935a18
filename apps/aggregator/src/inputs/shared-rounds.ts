import { setTimeout as sleep } from 'node:timers/promises';
import type { StateWriter } from './ingest-states.js';

interface Waiting<State> {
  readonly states: readonly State[];
  readonly assertOwned: () => void;
  readonly settle: PromiseWithResolvers<void>;
}

export interface SharedRoundsOptions {
  /** Least time from the beginning of one round to that of the next. */
  readonly periodMs: number;
  /** How long the first batch of a round waits for those of other partitions. */
  readonly gatherMs: number;
}

/**
 * Lets the batches of several partitions share one write, and begins no more than one write in a period: a statement
 * costs the store about the same for one state as for a thousand, and nobody looks at states more often. What waits is
 * bounded by the consumer: one batch per partition.
 */
export class SharedRounds<State> implements StateWriter<State> {
  #waiting: Waiting<State>[] = [];
  #isWorking = false;
  #lastStartMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly writer: StateWriter<State>,
    private readonly options: SharedRoundsOptions,
  ) {}

  write(states: readonly State[], assertOwned: () => void): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.#waiting.push({ states, assertOwned, settle });
    void this.#work();
    return settle.promise;
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.#waiting.length > 0) {
        const { periodMs, gatherMs } = this.options;
        await sleep(Math.max(gatherMs, this.#lastStartMs + periodMs - performance.now()));
        this.#lastStartMs = performance.now();
        const round = this.#waiting;
        this.#waiting = [];
        await this.#settle(round);
      }
    } finally {
      this.#isWorking = false;
    }
  }

  async #settle(round: readonly Waiting<State>[]): Promise<void> {
    const owned = round.filter(({ assertOwned, settle }) => {
      try {
        assertOwned();
        return true;
      } catch (error) {
        settle.reject(error);
        return false;
      }
    });
    const assertOwned = () => {
      for (const one of owned) one.assertOwned();
    };
    try {
      if (owned.length > 0) {
        await this.writer.write(
          owned.flatMap(({ states }) => states),
          assertOwned,
        );
      }
      for (const { settle } of owned) settle.resolve();
    } catch (error) {
      // Whose partition it was not writes again: repeating changes nothing.
      for (const { settle } of owned) settle.reject(error);
    }
  }
}
