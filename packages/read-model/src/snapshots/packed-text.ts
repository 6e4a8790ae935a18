const integerBytesMax = 32;

/** Reads packed figures (pack-figures.ts). Throws RangeError for a text that is cut off. */
export class PackedReader {
  #at = 0;

  constructor(private readonly packed: string) {}

  get isDone(): boolean {
    return this.#at === this.packed.length;
  }

  byte(): number {
    const byte = this.packed.charCodeAt(this.#at++);
    if (Number.isNaN(byte)) throw new RangeError(`figures: cut off at ${this.packed.length}`);
    return byte;
  }

  count(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  integer(): bigint {
    const bytes = this.byte();
    const start = this.#at;
    this.#skip(bytes);
    let value = 0n;
    // From the greatest byte, as many at once as a double holds exactly.
    for (let end = bytes; end > 0; end -= 6) {
      let part = 0;
      const from = Math.max(0, end - 6);
      for (let index = end - 1; index >= from; index -= 1) part = part * 256 + this.packed.charCodeAt(start + index);
      value = value === 0n ? BigInt(part) : (value << BigInt(8 * (end - from))) | BigInt(part);
    }
    // Whatever is negative has all its bytes.
    return bytes === integerBytesMax ? BigInt.asIntN(8 * integerBytesMax, value) : value;
  }

  skipIntegers(count: number): void {
    for (let index = 0; index < count; index += 1) this.#skip(this.byte());
  }

  text(): string {
    const length = this.count();
    const start = this.#at;
    this.#skip(length);
    return this.packed.slice(start, this.#at);
  }

  skipText(): void {
    this.#skip(this.count());
  }

  #skip(bytes: number): void {
    this.#at += bytes;
    if (this.#at > this.packed.length) throw new RangeError(`figures: cut off at ${this.packed.length}`);
  }
}
