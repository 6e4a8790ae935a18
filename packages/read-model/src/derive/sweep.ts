/** A sweep may take this share of the time. */
const dutyCycle = 0.2;

/**
 * Goes through all members of a set again and again as it is asked to, one member at a time; rests between two rounds
 * for four times what the last one took, however often it is asked.
 */
export class Sweep {
  #members: Iterator<string> | undefined;
  #wanted = false;
  #spentMs = 0;
  #restsUntilMs = 0;

  constructor(
    private readonly set: ReadonlySet<string>,
    private readonly visit: (member: string) => void,
  ) {}

  /** Every member is to be visited after now. */
  want(): void {
    this.#wanted = true;
  }

  get isPending(): boolean {
    return this.#wanted || this.#members !== undefined;
  }

  /** Milliseconds until there is something to do, 0: now, undefined: nothing. `nowMs` is of any monotonic clock. */
  dueInMs(nowMs: number): number | undefined {
    if (this.#members !== undefined) return 0;
    return this.#wanted ? Math.max(0, this.#restsUntilMs - nowMs) : undefined;
  }

  /** Visits one member. Returns false when a round is over, or when it is not time for one. */
  step(nowMs: () => number): boolean {
    const beganMs = nowMs();
    if (this.#members === undefined) {
      if (this.dueInMs(beganMs) !== 0) return false;
      this.#members = this.set.values();
      this.#wanted = false;
      this.#spentMs = 0;
    }
    const { done, value } = this.#members.next();
    if (done !== true) this.visit(value);
    const endedMs = nowMs();
    this.#spentMs += endedMs - beganMs;
    if (done !== true) return true;
    this.#members = undefined;
    this.#restsUntilMs = endedMs + this.#spentMs * (1 / dutyCycle - 1);
    return this.#wanted && this.dueInMs(endedMs) === 0;
  }
}
