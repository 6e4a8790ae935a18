import { setTimeout as sleep } from 'node:timers/promises';
import { calculatedAt } from '@jetton-analytics/figures';
import type { FetchedBatch } from '@jetton-analytics/kafka';
import type { PendingInstants } from './partition-progress.js';

export interface FetchPaceOptions {
  /** Resolves when the end offsets of the next second are known. */
  measured(): Promise<void>;
  /** Whether figures wait for records before the end offsets known last. */
  isAwaited(): boolean;
}

// Figures of the present move every two seconds; longer without a measurement is a broker that is away: others find that out.
const waitMsMax = 2_200;

/**
 * When a consumer that has read everything fetches again: right after the end offsets are known that figures wait for. What
 * is fetched and written in between is visible no sooner, and each round of writing costs the store about the same however
 * little is in it.
 */
export class FetchPace {
  #release: Promise<void> | undefined;

  constructor(private readonly options: FetchPaceOptions) {}

  /** To be awaited before the next fetch; at most 2.2 s. */
  readonly wait = async ({ isAtEnd }: Pick<FetchedBatch, 'isAtEnd'>, signal: AbortSignal): Promise<void> => {
    // What was asked for while a round was being written is late already.
    if (!isAtEnd || signal.aborted || this.options.isAwaited()) return;
    this.#release ??= this.#nextRelease();
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#release, aborted.promise]);
    signal.removeEventListener('abort', onAbort);
  };

  async #nextRelease(): Promise<void> {
    const ended = new AbortController();
    const late = sleep(waitMsMax, true, { signal: ended.signal, ref: false }).catch(() => true);
    const { options } = this;
    const measured = () => options.measured().then(() => options.isAwaited());
    while (!(await Promise.race([measured(), late])));
    ended.abort();
    this.#release = undefined;
  }
}

/**
 * Whether the figures of a step wait for one of these: with what is in the log, C would move on. Where the step is no
 * multiple of two seconds, whether T would.
 */
export function isAwaited(
  pending: readonly PendingInstants[],
  { delaySeconds, stepSeconds }: { readonly delaySeconds: number; readonly stepSeconds: number },
): boolean {
  const paceSeconds = stepSeconds % 2 === 0 ? 2 : 1;
  const calculated = (ms: number) => calculatedAt(Math.floor(ms / 1_000) - delaySeconds, paceSeconds);
  return pending.some(({ fromMs, toMs }) => fromMs === null || calculated(fromMs) < calculated(toMs));
}
