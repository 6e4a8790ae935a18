/**
 * Never more than `max` keys: those that were not touched for longest are forgotten, in halves. A touch costs what it
 * costs in a plain set.
 */
export class RecentKeys {
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(
    private readonly max: number,
    private readonly forget: (key: string) => void,
  ) {}

  touch(key: string): void {
    if (this.#young.has(key)) return;
    if (this.#young.size >= this.max / 2) {
      for (const old of this.#old) if (!this.#young.has(old)) this.forget(old);
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(key);
  }
}
