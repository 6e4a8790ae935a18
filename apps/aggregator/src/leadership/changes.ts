import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes whoever waits for a change. */
export class Changes {
  #next = Promise.withResolvers<void>();

  notify(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers<void>();
    resolve();
  }

  /** Resolves at the next change, at the latest after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    const timer = new AbortController();
    try {
      await Promise.race([this.#next.promise, this.pause(timeoutMs, timer.signal)]);
    } finally {
      timer.abort();
    }
  }

  /** Resolves after `timeoutMs`, or as soon as the signal is aborted. */
  async pause(timeoutMs: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(timeoutMs, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
