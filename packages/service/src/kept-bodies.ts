const bodyBytesMax = 1024 * 1024;

/** Bodies by their entity tags: equal tags are equal bytes, so nobody may change them. Bounded: the oldest goes first. */
export class KeptBodies {
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;

  constructor(private readonly bytesMax: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The body kept under the tag, else what `make` returns, which is then kept. */
  get(etag: string, make: () => Buffer): Buffer {
    const known = this.#bodies.get(etag);
    if (known !== undefined) return known;
    const made = make();
    if (made.length > Math.min(bodyBytesMax, this.bytesMax)) return made;
    this.#bodies.set(etag, made);
    this.#bytes += made.length;
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bytes <= this.bytesMax) break;
      this.#bodies.delete(oldest);
      this.#bytes -= length;
    }
    return made;
  }
}
