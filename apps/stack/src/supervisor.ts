import { LaunchError, type ManagedProcess, type ProcessRegistry } from '@jetton-analytics/embedded';

/** Thrown to whoever wants to start something while everything is being stopped. */
class StoppingError extends Error {
  override readonly name = 'StoppingError';
}

interface Supervised {
  readonly process: ManagedProcess;
  readonly rank: number;
}

/**
 * Keeps the processes of the stack. Each has a rank: those of a higher rank stand on those of a lower one and are stopped
 * before them. The first that ends without being asked to is a failure of the whole.
 */
export class Supervisor {
  readonly #registry: ProcessRegistry;
  readonly #running = new Set<Supervised>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #failed = Promise.withResolvers<never>();
  #stopping: Promise<void> | undefined;

  constructor(registry: ProcessRegistry) {
    this.#registry = registry;
    this.#failed.promise.catch(() => undefined); // nobody may be listening yet when the first process ends
  }

  /** Never resolves; rejects with a LaunchError that names the first process that ended by itself. */
  get failure(): Promise<never> {
    return this.#failed.promise;
  }

  /**
   * Starts a process that runs until it is stopped. With `mayEnd` it may also end by itself with code 0: its work is done.
   * Throws what `start` throws, and StoppingError once stopping has begun.
   */
  async keep<P extends ManagedProcess>(
    rank: number,
    start: () => Promise<P>,
    { mayEnd = false }: { mayEnd?: boolean } = {},
  ): Promise<P> {
    const started = await this.during(start);
    const supervised = { process: started, rank };
    this.#running.add(supervised);
    void started.exited.then((exit) => {
      this.#running.delete(supervised);
      const wanted = this.#stopping !== undefined || (mayEnd && exit.code === 0);
      if (!wanted) this.#failed.reject(new LaunchError(started.describeEnd(exit)));
      return exit;
    });
    return started;
  }

  /** Runs a step that may start processes of its own; stopping waits for it. Throws StoppingError once that has begun. */
  async during<T>(step: () => Promise<T>): Promise<T> {
    if (this.#stopping !== undefined) throw new StoppingError('stopping');
    const work = step();
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /** Stops everything, what is just starting first, then rank by rank from the highest; all within bounded time. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    await Promise.resolve(); // from here on `keep` and `during` see that we are stopping
    await this.#stopUnsupervised();
    await Promise.allSettled(this.#underWay);
    const ranks = [...new Set([...this.#running].map(({ rank }) => rank))].sort((a, b) => b - a);
    for (const rank of ranks) {
      const group = [...this.#running].filter((supervised) => supervised.rank === rank);
      await Promise.all(group.map((supervised) => supervised.process.stop()));
    }
    await this.#registry.clearLeftovers();
  }

  /** Processes of a step that is under way are known to the registry alone. */
  async #stopUnsupervised(): Promise<void> {
    const known = new Set([...this.#running].map((supervised) => supervised.process.pid));
    await this.#registry.stopAll((entry) => !known.has(entry.pid));
  }
}
