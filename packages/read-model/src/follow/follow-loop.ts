import { ClickHouseUnavailableError } from '@jetton-analytics/clickhouse';
import { type Logger, pause } from '@jetton-analytics/service';
import { PostgresUnavailableError } from '../stores/postgres-reader.js';

export interface FollowLoopOptions {
  readonly name: string;
  readonly intervalMs: number;
  readonly logger: Logger;
  /** A number from 0 to below 1, for the jitter. */
  readonly random?: () => number;
}

const delayMsMax = 5_000;

// A store that is busy is looked at less often: looking takes a tenth of its time at most.
const restPerBusy = 9;
const restMsMax = 1_000;

/**
 * Runs a task again and again until stopped, the less often the longer it takes. After a failure it waits longer and longer, up to five seconds, with
 * jitter, so that many replicas do not come back in step; an outage is logged when it begins and when it is over.
 */
export class FollowLoop {
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #failures = 0;
  #hasSucceeded = false;
  #lastTookMs = 0;

  constructor(
    private readonly task: () => Promise<void>,
    private readonly options: FollowLoopOptions,
  ) {}

  /** Failed rounds in a row. */
  get failures(): number {
    return this.#failures;
  }

  get name(): string {
    return this.options.name;
  }

  /** A round has succeeded: what it reads has been read once. */
  get hasSucceeded(): boolean {
    return this.#hasSucceeded;
  }

  start(): void {
    this.#running ??= this.#run(this.#stop.signal);
  }

  /** Resolves when the round under way is over. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#round(signal);
      await pause(this.#delayMs(), signal).catch(() => undefined);
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { name, logger } = this.options;
    const startedMs = performance.now();
    try {
      await this.task();
      this.#lastTookMs = performance.now() - startedMs;
      if (this.#failures > 0) logger.info({ follows: name, failures: this.#failures }, 'the store answers again');
      this.#failures = 0;
      this.#hasSucceeded = true;
    } catch (error) {
      if (signal.aborted) return;
      this.#failures += 1;
      if (this.#failures === 1) {
        // A store that is away is a matter of course and needs no stack.
        const isAway = error instanceof ClickHouseUnavailableError || error instanceof PostgresUnavailableError;
        const cause = isAway ? { reason: error.message } : { err: error };
        logger.warn({ follows: name, ...cause }, 'cannot follow the store; what is known is served on');
      }
    }
  }

  #delayMs(): number {
    const { intervalMs, random = Math.random } = this.options;
    if (this.#failures === 0) return Math.max(intervalMs, Math.min(restMsMax, restPerBusy * this.#lastTookMs));
    const delayMs = Math.min(delayMsMax, intervalMs * 2 ** Math.min(this.#failures, 10));
    return delayMs / 2 + (random() * delayMs) / 2;
  }
}
