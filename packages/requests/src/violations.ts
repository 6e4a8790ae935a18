import type { ViolationReason } from '@jetton-analytics/common';
import { invalidArgument, type Violation } from '@jetton-analytics/service';

// A body of 64 KiB has room for thousands of wrong fields; nobody reads so many, and the answer must stay small.
const violationsMax = 200;
const fieldCharsMax = 100;

/** Everything found wrong with one request, in the order found. */
export class Violations {
  readonly #found: Violation[] = [];

  /** Whether no more are kept, so that looking for more is a waste. */
  get isFull(): boolean {
    return this.#found.length >= violationsMax;
  }

  add(field: string, reason: ViolationReason, message: string): void {
    this.addAll([{ field: field.slice(0, fieldCharsMax), reason, message }]);
  }

  addAll(violations: readonly Violation[]): void {
    this.#found.push(...violations.slice(0, violationsMax - this.#found.length));
  }

  /** Throws DomainError (invalidArgument) with all of them, if there is any. */
  throwIfAny(): void {
    const [first, ...rest] = this.#found;
    if (first !== undefined) throw invalidArgument([first, ...rest]);
  }
}
