import type { Dispatcher } from 'undici';
import { fitsFrame, FramedLink, type FramedQuestion } from './framed-link.js';

export interface FramedLinksOptions {
  readonly url: URL;
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  readonly answerBytesMax: number;
  /** Asks over HTTP. */
  readonly overHttp: (question: FramedQuestion, handler: Dispatcher.DispatchHandler) => void;
}

// Two, so that replicas behind one address share the questions; each is made anew from time to time, for the same reason.
const linksMin = 2;
const linkLifeMs = 60_000;
/** Questions of a link that is busy: then there is another one. */
const busyQuestions = 32;
const idleMs = 60_000;
/** How long an app behind that does not speak in frames, an older version of it for instance, is asked over HTTP alone. */
const refusedMs = 30_000;

/** The connections to an app behind that carry questions in frames. */
export class FramedLinks {
  readonly #links = new Set<FramedLink>();
  readonly #leaving = new Set<FramedLink>();
  readonly #startedAtMs = new WeakMap<FramedLink, number>();
  /** What is asked within one round of the event loop goes out together, over this one. */
  #current: FramedLink | undefined;
  #refusedUntilMs = 0;

  constructor(private readonly options: FramedLinksOptions) {}

  /** Asks; the handler is told of the answer or of a failure, as undici does. */
  dispatch(question: FramedQuestion, handler: Dispatcher.DispatchHandler): void {
    if (performance.now() < this.#refusedUntilMs || !fitsFrame(question)) this.options.overHttp(question, handler);
    else this.#link().ask(question, handler);
  }

  /** Resolves when what was asked is answered. */
  async close(): Promise<void> {
    for (const link of this.#links) link.leave();
    await Promise.all([...this.#leaving].map((link) => link.closed));
  }

  #link(): FramedLink {
    if (this.#current !== undefined && this.#links.has(this.#current)) return this.#current;
    setImmediate(() => {
      this.#current = undefined;
    });
    this.#current = this.#next();
    return this.#current;
  }

  #next(): FramedLink {
    const nowMs = performance.now();
    let best: FramedLink | undefined;
    for (const link of this.#links) {
      if (nowMs - (this.#startedAtMs.get(link) ?? 0) > linkLifeMs) link.leave();
      else if (best === undefined || link.open < best.open) best = link;
    }
    const { size } = this.#links;
    if (best !== undefined && (best.open === 0 || size >= this.#wanted(best))) return best;
    return this.#begin(nowMs);
  }

  #wanted({ open }: FramedLink): number {
    const { connectionsMax } = this.options;
    return Math.min(connectionsMax, open < busyQuestions ? linksMin : this.#links.size + 1);
  }

  #begin(nowMs: number): FramedLink {
    const { url, connectTimeoutMs, answerBytesMax, overHttp } = this.options;
    const link: FramedLink = new FramedLink({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port === '' ? 80 : url.port),
      answerBytesMax,
      connectTimeoutMs,
      idleMs,
      onRefused: (question, handler) => {
        this.#refusedUntilMs = performance.now() + refusedMs;
        overHttp(question, handler);
      },
      onLeaving: (leaving) => {
        this.#links.delete(leaving);
        this.#leaving.add(leaving);
        void leaving.closed.then(() => this.#leaving.delete(leaving));
      },
    });
    this.#links.add(link);
    this.#startedAtMs.set(link, nowMs);
    return link;
  }
}
