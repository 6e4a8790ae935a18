import { setTimeout as sleep } from 'node:timers/promises';
import { DeadlineError } from './errors.js';

/**
 * The promise's outcome, or a DeadlineError once `timeoutMs` have passed. The work behind the promise is not undone: a
 * caller must be able to live with it being done late.
 */
export async function withDeadline<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(what, timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits; returns early, without an error, when the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

export interface BackoffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
}

/**
 * Exponential backoff with jitter: a random wait between half of and the whole of min(maxMs, initialMs × 2^attempt), so
 * that instances that failed together do not come back together. `random` is in [0, 1).
 */
export function backoffMs(attempt: number, { initialMs, maxMs }: BackoffOptions, random: number): number {
  const ceiling = Math.min(maxMs, initialMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling * (0.5 + random / 2));
}
