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
      await Promise.race([
        this.#next.promise,
        sleep(timeoutMs, undefined, { signal: timer.signal }).catch(ignoreAbort),
      ]);
    } finally {
      timer.abort();
    }
  }

  /** Resolves after `timeoutMs`, or as soon as the signal is aborted. */
  async pause(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await sleep(timeoutMs, undefined, { signal }).catch(ignoreAbort);
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
