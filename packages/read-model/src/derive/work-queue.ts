import { setImmediate } from 'node:timers/promises';

const sliceMs = 4;

/**
 * Works through what is to be done in slices of a few milliseconds, so that requests are answered in between. `step` does
 * one piece and returns false when there is nothing left.
 */
export class WorkQueue {
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly step: () => boolean,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Work goes on from here until there is none left. */
  wake(): void {
    if (!this.#stopped) this.#running ??= this.#run();
  }

  /** Resolves when nothing is left to do. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.settled();
  }

  async #run(): Promise<void> {
    do {
      await setImmediate();
    } while (!this.#stopped && this.#slice());
    // In the same turn as the last look for work: nobody can ask for more in between.
    this.#running = undefined;
  }

  /** Returns whether there may be more. */
  #slice(): boolean {
    const end = performance.now() + sliceMs;
    for (let pieces = 0; ; pieces += 1) {
      try {
        if (!this.step()) return false;
      } catch (error) {
        this.onError(error);
      }
      if (pieces % 8 === 7 && performance.now() >= end) return true;
    }
  }
}
