/**
 * Answers read from the store, kept for as long as their key says the same: concurrent askers of one key wait for one
 * read, the longest unused go when there are more than `entriesMax`, and a failed read is not kept.
 */
export class AnswerCache<Answer> {
  readonly #entries = new Map<string, Promise<Answer>>();

  constructor(private readonly entriesMax: number) {}

  /** Rejects with what `read` rejects with. */
  get(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const kept = this.#entries.get(key);
    if (kept !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, kept);
      return kept;
    }
    const reading = read();
    this.#entries.set(key, reading);
    reading.catch(() => {
      if (this.#entries.get(key) === reading) this.#entries.delete(key);
    });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.entriesMax) break;
      this.#entries.delete(oldest);
    }
    return reading;
  }
}
