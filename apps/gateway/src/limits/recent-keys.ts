const forgottenPerTouch = 2;

/**
 * Never more than `max` keys: those that were not touched for longest are forgotten, in thirds, a few with each key that
 * comes, so that no touch takes long.
 */
export class RecentKeys {
  #young = new Set<string>();
  #old = new Set<string>();
  /** What is left of the oldest third: gone before the next one begins to go. */
  #leaving: Iterator<string> = [].values();

  constructor(
    private readonly max: number,
    private readonly forget: (key: string) => void,
  ) {}

  touch(key: string): void {
    if (this.#young.has(key)) return;
    this.#forgetSome();
    if (this.#young.size >= Math.floor(this.max / 3)) {
      this.#leaving = this.#old.values();
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(key);
  }

  #forgetSome(): void {
    for (let count = 0; count < forgottenPerTouch; count += 1) {
      const { done, value } = this.#leaving.next();
      if (done === true) return;
      // Whoever has come again meanwhile stays.
      if (!this.#young.has(value) && !this.#old.has(value)) this.forget(value);
    }
  }
}
