/**
 * The one source of time, injected wherever an instant is needed; nothing else reads the machine's clock. An abstract
 * class, so that it is at once the type and the token of the container.
 */
export abstract class Clock {
  /** Milliseconds since the Unix epoch. */
  abstract now(): number;
}

class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}

/** The machine's clock. */
export const systemClock: Clock = new SystemClock();

/** Waits `ms`, or rejects with the signal's reason as soon as it is aborted. Does not keep the process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    timer.unref();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
