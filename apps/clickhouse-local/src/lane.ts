/** The lane's queue is full, or the work has waited too long in it. */
export class LaneFullError extends Error {}

/** The client went away before its statement began. */
export class DroppedError extends Error {}

interface Waiting<S> {
  start: (session: S) => void;
}

/**
 * A few sessions and a bounded first-in, first-out queue before them. One engine session runs its statements one after
 * another, so a long statement holds up its own lane at most.
 */
export class Lane<S> {
  private readonly idle: S[];
  private readonly queue = new Set<Waiting<S>>();

  constructor(
    readonly name: string,
    sessions: readonly S[],
    private readonly queueMax: number,
    private readonly queueMs: number,
  ) {
    this.idle = [...sessions];
  }

  get waiting(): number {
    return this.queue.size;
  }

  /**
   * Runs the work on the next free session.
   * @throws LaneFullError at once when the queue is full, or after `queueMs` in it; DroppedError when `signal` aborts
   * while the work waits.
   */
  async run<T>(work: (session: S) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw new DroppedError();
    const session = this.idle.pop() ?? (await this.wait(signal));
    try {
      return await work(session);
    } finally {
      this.release(session);
    }
  }

  private wait(signal: AbortSignal): Promise<S> {
    if (this.queue.size >= this.queueMax) return Promise.reject(new LaneFullError());
    return new Promise((resolve, reject) => {
      const waiting: Waiting<S> = {
        start: (session) => {
          leave();
          resolve(session);
        },
      };
      const fail = (error: Error) => {
        leave();
        reject(error);
      };
      const drop = () => fail(new DroppedError());
      const timer = setTimeout(() => fail(new LaneFullError()), this.queueMs);
      const leave = () => {
        this.queue.delete(waiting);
        clearTimeout(timer);
        signal.removeEventListener('abort', drop);
      };
      this.queue.add(waiting);
      signal.addEventListener('abort', drop, { once: true });
    });
  }

  private release(session: S): void {
    for (const next of this.queue) {
      next.start(session);
      return;
    }
    this.idle.push(session);
  }
}
