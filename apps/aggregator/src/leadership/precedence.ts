import { setTimeout as sleep } from 'node:timers/promises';
import { type Step, steps } from '@jetton-analytics/figures';
import { nextTurn } from '../snapshots/in-turns.js';

// A step's first snapshot may take minutes, and the store gives up answers that nobody reads.
const waitMsMax = 5_000;

/**
 * Who goes first where all steps share a thread: while a step takes a snapshot, those after it stand still at their
 * pauses. Each rests as long as it worked, so that none is held up for ever.
 */
export class Precedence {
  readonly #working = new Map<Step, Promise<unknown>>();

  constructor(private readonly maxMs = waitMsMax) {}

  /** Does a step's work; those after it wait meanwhile. */
  async during<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#working.set(step, promise);
    try {
      return await work();
    } finally {
      this.#working.delete(step);
      resolve();
    }
  }

  /** Resolves once others had the thread and no step before this one works, after some seconds in any case. */
  async pause(step: Step): Promise<void> {
    const before = steps.slice(0, steps.indexOf(step)).flatMap((one) => this.#working.get(one) ?? []);
    if (before.length === 0) {
      await nextTurn();
      return;
    }
    const timer = new AbortController();
    const late = sleep(this.maxMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(before), late]);
    timer.abort();
  }
}
