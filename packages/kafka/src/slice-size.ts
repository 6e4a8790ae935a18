export interface SliceSizeBounds {
  /** Most messages of a slice. */
  readonly max: number;
  /** What a slice may take, ms, for larger ones to follow. */
  readonly targetMs: number;
}

const firstMessages = 2_000;
const leastMessages = 250;
const growth = 4;

/**
 * How many messages are handed out at once. What is not committed when the partition goes to somebody else is done again:
 * with slices that take longer than the group stays together nothing would ever be committed. So the first ones are small,
 * those after one that was committed in time larger, and those after one that failed or was dropped half as large. One that
 * was slow tells nothing: a store that is slow with little would be slower still with more, smaller pieces.
 */
export class SliceSize {
  #messages: number;
  readonly #least: number;

  constructor(private readonly bounds: SliceSizeBounds) {
    this.#messages = Math.min(firstMessages, bounds.max);
    this.#least = Math.min(leastMessages, bounds.max);
  }

  /** Messages of the next slice, at most. */
  get messages(): number {
    return this.#messages;
  }

  /** So many messages were done and committed within this time. Slices of several partitions that end together count once. */
  done(messages: number, tookMs: number): void {
    if (messages >= this.#messages && tookMs <= this.bounds.targetMs) {
      this.#messages = Math.min(this.bounds.max, this.#messages * growth);
    }
  }

  /** So many messages have to be done again; they, too, count once. */
  undone(messages: number): void {
    this.#messages = Math.max(this.#least, Math.min(this.#messages, Math.floor(messages / 2)));
  }
}
