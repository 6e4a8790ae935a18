import type { UpstreamAnswer } from './exchange.js';

interface Kept {
  readonly answer: UpstreamAnswer;
  readonly untilMs: number;
  readonly bytes: number;
}

// What their Cache-Control says: `public, max-age=1`.
const keptMs = 1_000;
const bodyBytesMax = 1024 * 1024;
// Key, objects and headers of an answer, roughly.
const overheadBytes = 2_048;

/**
 * Public answers, kept as long as everybody may keep them, and questions under way, of which equal ones are asked once.
 * Bounded: the oldest goes first. What depends on who asks must not come here.
 */
export class AnswerCache {
  readonly #kept = new Map<string, Kept>();
  readonly #asking = new Map<string, Promise<UpstreamAnswer>>();
  #bytes = 0;

  constructor(
    private readonly bytesMax: number,
    /** A clock that only rises. */
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** An answer that may still be given. */
  get(key: string): UpstreamAnswer | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.untilMs > this.nowMs() ? kept.answer : undefined;
  }

  /** The answer kept or under way, else what `ask` resolves to, kept from when it was asked. Rejects as `ask` does. */
  share(key: string, ask: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
    const known = this.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const underWay = this.#asking.get(key);
    if (underWay !== undefined) return underWay;
    const untilMs = this.nowMs() + keptMs;
    const asked = ask().then(
      (answer) => {
        this.#asking.delete(key);
        this.#keep(key, answer, untilMs);
        return answer;
      },
      (error: unknown) => {
        this.#asking.delete(key);
        throw error;
      },
    );
    this.#asking.set(key, asked);
    return asked;
  }

  #keep(key: string, answer: UpstreamAnswer, untilMs: number): void {
    const { status, headers, body } = answer;
    // An app that says itself how long its answer may be kept says it to clients.
    if ((status !== 200 && status !== 304) || headers['cache-control'] !== undefined) return;
    const bodyBytes = body.reduce((sum, { length }) => sum + length, 0);
    if (bodyBytes > bodyBytesMax) return;
    this.#drop(key);
    const bytes = bodyBytes + key.length + overheadBytes;
    this.#kept.set(key, { answer, untilMs, bytes });
    this.#bytes += bytes;
    const nowMs = this.nowMs();
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.bytesMax && kept.untilMs > nowMs) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}
