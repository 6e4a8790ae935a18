import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  /** What is awaited, for the error: `the dead letter`. */
  readonly what: string;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

/**
 * Calls `probe` until it returns something that is not undefined, null or false, and returns that. Throws when the
 * deadline passes, naming what was awaited and, when the last call threw, with that error as its cause.
 */
export async function pollUntil<T>(
  probe: () => Promise<T> | T,
  { what, timeoutMs = 10_000, intervalMs = 50 }: PollOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) {
        return value as Exclude<T, undefined | null | false>;
      }
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause });
    await sleep(intervalMs);
  }
}
