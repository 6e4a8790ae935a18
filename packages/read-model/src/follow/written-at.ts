/** A table whose rows carry the instant of their writing; several writers, whose clocks and commits are not in order. */
export interface WrittenAtSource<Row> {
  /** The greatest written_at, Unix milliseconds; undefined for an empty table. */
  newest(): Promise<number | undefined>;
  /** Rows written at that instant or later, in pages, each key once or more often. */
  rowsSince(writtenAtMs: number): AsyncIterable<readonly Row[]>;
}

/**
 * How far behind the greatest instant seen a row may become visible, clocks included: each round looks a bit back, some far.
 * Once nothing newer has come for as long as the latter, whatever comes is newer.
 */
const shallowMs = 5_000;
const deepMs = 120_000;
const deepEveryRounds = 10;

/**
 * Reads a table whole on the first call and what may be new on each further one. Rows come again and again: `apply` must
 * be idempotent and let the newest of a key win. Rejects with what the source rejects with, and then reads the same
 * again next time.
 */
export class WrittenAtFollower<Row> {
  #greatest: number | undefined;
  /** When the greatest was first seen. */
  #greatestSeenMs = 0;
  #lastDeepMs = Number.NEGATIVE_INFINITY;
  #rounds = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly source: WrittenAtSource<Row>,
    private readonly apply: (rows: readonly Row[]) => void,
    /** A clock that only rises, ms. */
    private readonly nowMs: () => number,
  ) {}

  /** Begins after the round under way, if there is one, so that what was written before the call is read. */
  readonly followOnce = (): Promise<void> => {
    const round = this.#last.then(this.#follow, this.#follow);
    this.#last = round;
    return round;
  };

  readonly #follow = async (): Promise<void> => {
    const nowMs = this.nowMs();
    // Asked before the rows, so that none written while they are read is passed over.
    const newest = await this.source.newest();
    if (newest === undefined) return;
    const isSettled = newest === this.#greatest && this.#lastDeepMs - this.#greatestSeenMs >= deepMs;
    const deep = this.#rounds % deepEveryRounds === 0 && !isSettled;
    if (!deep && newest === this.#greatest) {
      this.#rounds += 1;
      return;
    }
    const since = this.#greatest === undefined ? 0 : this.#greatest - (deep ? deepMs : shallowMs);
    for await (const rows of this.source.rowsSince(Math.max(0, since))) this.apply(rows);
    if (this.#greatest === undefined || newest > this.#greatest) {
      this.#greatest = newest;
      this.#greatestSeenMs = nowMs;
    }
    if (deep) this.#lastDeepMs = nowMs;
    this.#rounds += 1;
  };
}
