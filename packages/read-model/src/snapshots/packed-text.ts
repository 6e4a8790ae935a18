import type { RowBinaryReader } from '@jetton-analytics/clickhouse';

const integerBytesMax = 32;

/**
 * Writes the columns of a row closely packed into a text of one byte per character: an integer is the count of its
 * significant bytes and those, the least first; a text is its length and its characters. A quarter of the columns' size,
 * and a text is what the engine of this process copies, compares and keeps with the least effort.
 */
export class PackedWriter {
  #out = Buffer.allocUnsafeSlow(4_096);
  #at = 0;

  /** What has been written; the next text begins. */
  take(): string {
    const text = this.#out.toString('latin1', 0, this.#at);
    this.#at = 0;
    return text;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#out[this.#at++] = value;
  }

  /** Below 2^32. */
  count(value: number): void {
    this.#reserve(5);
    let rest = value;
    for (; rest >= 128; rest >>>= 7) this.#out[this.#at++] = (rest & 127) | 128;
    this.#out[this.#at++] = rest;
  }

  /** The next `columns` columns of the row, integers of `width` bytes each; decimals in units of their last digit. */
  integers(row: RowBinaryReader, columns: number, width: number): void {
    this.#reserve(columns * (width + 1));
    const { bytes } = row;
    let from = row.skip(columns * width);
    const out = this.#out;
    let at = this.#at;
    for (let column = 0; column < columns; column += 1, from += width) {
      let significant = width;
      while (significant > 0 && bytes[from + significant - 1] === 0) significant -= 1;
      out[at++] = significant;
      for (let index = 0; index < significant; index += 1) out[at++] = bytes[from + index] ?? 0;
    }
    this.#at = at;
  }

  /** The next column of the row, a text. */
  text(row: RowBinaryReader): void {
    const length = row.length();
    this.count(length);
    this.#reserve(length);
    const from = row.skip(length);
    row.bytes.copy(this.#out, this.#at, from, from + length);
    this.#at += length;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + bytes, this.#out.length * 2));
    this.#out.copy(larger, 0, 0, this.#at);
    this.#out = larger;
  }
}

/** Reads what PackedWriter wrote. Throws RangeError for a text that is cut off. */
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
