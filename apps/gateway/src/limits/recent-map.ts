/**
 * A map that never holds more than `max` entries: what was not asked for longest goes, in halves. A get or set costs what
 * it costs in a plain map.
 */
export class RecentMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(private readonly max: number) {}

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.max / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  /** Entries held, those counted twice that are being asked for again. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
