import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits, or rejects with the signal's reason as soon as it is aborted. Keeps the process alive: while the broker is away
 * there is nothing else that would.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
