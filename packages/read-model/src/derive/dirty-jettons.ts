/** Why a jetton is to be derived anew. */
export const reasons = { short: 1, mid: 2, long: 4, markets: 8, inputs: 16 } as const;
export const everyReason = 31;

/** Jettons to derive anew, each once with all its reasons, in the order in which they were named. */
export class DirtyJettons {
  readonly #reasons = new Map<string, number>();
  // One iterator for many calls: to find the first entry anew each time would walk over all that were deleted.
  #entries: Iterator<[string, number]> | undefined;

  get size(): number {
    return this.#reasons.size;
  }

  add(address: string, mask: number): void {
    this.#reasons.set(address, (this.#reasons.get(address) ?? 0) | mask);
  }

  /** Takes the next one out. */
  take(): { readonly address: string; readonly mask: number } | undefined {
    this.#entries ??= this.#reasons.entries();
    const { done, value } = this.#entries.next();
    if (done === true) {
      this.#entries = undefined;
      return undefined;
    }
    const [address, mask] = value;
    this.#reasons.delete(address);
    return { address, mask };
  }
}
