/**
 * Walks over rows in the format RowBinary, the columns of each row in order; the counterpart of RowBinaryWriter. Reading
 * past the end throws RangeError.
 */
export class RowBinaryReader {
  readonly #view: DataView;
  // Versions mostly come many times in a row: to make the same number anew is three objects.
  #uint128 = 0n;
  #words: readonly [number, number, number, number] = [0, 0, 0, 0];
  /** Offset of what is read next. */
  at = 0;

  constructor(readonly bytes: Buffer) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether every row has been read. */
  get isDone(): boolean {
    return this.at >= this.bytes.length;
  }

  /** UInt8, Bool, the number of an Enum8 from 0 to 127, and the flag of a Nullable: 1 is null. */
  uint8(): number {
    return this.#view.getUint8(this.at++);
  }

  /** UInt16, and Date as days since 1970. */
  uint16(): number {
    const value = this.#view.getUint16(this.at, true);
    this.at += 2;
    return value;
  }

  /** UInt32, and DateTime as Unix seconds. */
  uint32(): number {
    const value = this.#view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  uint64(): bigint {
    const value = this.#view.getBigUint64(this.at, true);
    this.at += 8;
    return value;
  }

  uint128(): bigint {
    const view = this.#view;
    const { at } = this;
    const [a, b, c, d] = this.#words;
    if (
      view.getInt32(at) === a &&
      view.getInt32(at + 4) === b &&
      view.getInt32(at + 8) === c &&
      view.getInt32(at + 12) === d
    ) {
      this.at = at + 16;
      return this.#uint128;
    }
    this.#words = [view.getInt32(at), view.getInt32(at + 4), view.getInt32(at + 8), view.getInt32(at + 12)];
    return (this.#uint128 = this.#unsigned(2));
  }

  uint256(): bigint {
    return this.#unsigned(4);
  }

  /** Int256, and Decimal256 in units of its last digit. */
  int256(): bigint {
    return BigInt.asIntN(256, this.#unsigned(4));
  }

  /** Length of an array or of a text. */
  length(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.uint8();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** String, LowCardinality(String). */
  string(): string {
    return this.#text('utf8');
  }

  /** A text known to be ASCII, or bytes: one character for each. */
  ascii(): string {
    return this.#text('latin1');
  }

  /**
   * Steps over the next column, a text, where its length and characters are these bytes of `expected`, and tells whether
   * they were.
   */
  takeSame(expected: DataView, start: number, length: number): boolean {
    const view = this.#view;
    const { at } = this;
    if (at + length > view.byteLength) return false;
    let index = 0;
    for (; index + 4 <= length; index += 4) {
      if (view.getInt32(at + index) !== expected.getInt32(start + index)) return false;
    }
    for (; index < length; index += 1) {
      if (view.getUint8(at + index) !== expected.getUint8(start + index)) return false;
    }
    this.at = at + length;
    return true;
  }

  /** Steps over bytes; returns where they began. */
  skip(bytes: number): number {
    return this.#take(bytes);
  }

  #text(encoding: 'utf8' | 'latin1'): string {
    const start = this.#take(this.length());
    return this.bytes.toString(encoding, start, this.at);
  }

  #take(bytes: number): number {
    const start = this.at;
    this.at += bytes;
    if (this.at > this.bytes.length) throw new RangeError(`row cut off at byte ${this.bytes.length}`);
    return start;
  }

  #unsigned(words: number): bigint {
    let value = 0n;
    for (let index = words - 1; index >= 0; index -= 1) {
      const word = this.#view.getBigUint64(this.at + index * 8, true);
      if (word !== 0n || value !== 0n) value = (value << 64n) | word;
    }
    this.at += words * 8;
    return value;
  }
}
