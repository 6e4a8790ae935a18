import { setTimeout as sleep } from 'node:timers/promises';
import type { StateWriter } from './ingest-states.js';
import { type OwnedBatch, Rounds } from './rounds.js';

export interface SharedRoundsOptions {
  /** Least time from the beginning of one round to that of the next. */
  readonly periodMs: number;
  /** How long the first batch of a round waits for those of other partitions. */
  readonly gatherMs: number;
}

interface StateBatch<State> extends OwnedBatch {
  readonly states: readonly State[];
}

/**
 * Lets the batches of several partitions share one write, and begins no more than one write in a period: a statement
 * costs the store about the same for one state as for a thousand, and nobody looks at states more often.
 */
export class SharedRounds<State> implements StateWriter<State> {
  readonly #rounds: Rounds<StateBatch<State>>;
  #lastStartMs = Number.NEGATIVE_INFINITY;

  constructor(writer: StateWriter<State>, { periodMs, gatherMs }: SharedRoundsOptions) {
    this.#rounds = new Rounds({
      gather: async () => {
        await sleep(Math.max(gatherMs, this.#lastStartMs + periodMs - performance.now()));
        this.#lastStartMs = performance.now();
      },
      run: (batches) =>
        writer.write(
          batches.flatMap(({ states }) => states),
          () => {
            for (const batch of batches) batch.assertOwned();
          },
        ),
    });
  }

  write(states: readonly State[], assertOwned: () => void): Promise<void> {
    return this.#rounds.take({ states, assertOwned });
  }
}
