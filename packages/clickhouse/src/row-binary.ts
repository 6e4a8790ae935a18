const growth = 2;
const word = 64n;

/**
 * Rows of an insert in the format RowBinary: the columns of each row, in order, in the engine's own layout. Numbers of any
 * width are little-endian; a text is its length and its bytes in UTF-8; a Nullable is preceded by {@link present} or is
 * {@link absent}. Layout: https://clickhouse.com/docs/interfaces/formats/RowBinary
 */
export class RowBinaryWriter {
  #buffer: Buffer;
  #view: DataView;
  #at = 0;

  /** `bytesExpected` is a guess: the buffer grows. */
  constructor(bytesExpected: number) {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(64, bytesExpected));
    this.#view = viewOf(this.#buffer);
  }

  /** What has been written; a view that the next write may leave behind. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  /** UInt8, Bool, and Enum8 by its number. */
  uint8(value: number): this {
    this.#reserve(1);
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
    return this;
  }

  /** UInt32, and DateTime as Unix seconds. */
  uint32(value: number): this {
    this.#reserve(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }

  /** UInt16, and Date as days since 1970. */
  uint16(value: number): this {
    this.#reserve(2);
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
    return this;
  }

  /** Int64 and UInt64, and DateTime64 in its own ticks. */
  int64(value: bigint): this {
    return this.#integer(value, 1);
  }

  /** Int128 and UInt128. */
  int128(value: bigint): this {
    return this.#integer(value, 2);
  }

  /** Int256 and UInt256, and Decimal256 in units of its last digit. */
  int256(value: bigint): this {
    return this.#integer(value, 4);
  }

  /** String, LowCardinality(String). */
  string(text: string): this {
    const bytes = Buffer.byteLength(text);
    this.#reserve(bytes + 8);
    let rest = bytes;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#view.setUint8(this.#at++, (rest % 128) | 128);
    this.#view.setUint8(this.#at++, rest);
    this.#at += this.#buffer.write(text, this.#at, 'utf8');
    return this;
  }

  /** FixedString(N) of ASCII text that has exactly N characters. */
  fixed(text: string): this {
    this.#reserve(text.length);
    this.#at += this.#buffer.write(text, this.#at, 'latin1');
    return this;
  }

  /** The null of a Nullable. */
  absent(): this {
    return this.uint8(1);
  }

  /** To be followed by the value of a Nullable. */
  present(): this {
    return this.uint8(0);
  }

  #integer(value: bigint, words: number): this {
    this.#reserve(words * 8);
    // Two's complement: the shift of a negative number keeps its sign.
    for (let index = 0, rest = value; index < words; index += 1, rest >>= word) {
      this.#view.setBigUint64(this.#at, BigInt.asUintN(64, rest), true);
      this.#at += 8;
    }
    return this;
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * growth));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
    this.#view = viewOf(larger);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) => new DataView(buffer, byteOffset, byteLength);
