/** Writes figures as the store packs them (snapshots.query.ts), one byte per character. */
export class PackedWriter {
  readonly #bytes: number[] = [];

  /** What has been written. */
  get text(): string {
    return Buffer.from(this.#bytes).toString('latin1');
  }

  byte(value: number): this {
    this.#bytes.push(value);
    return this;
  }

  count(value: number): this {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    return this.byte(rest);
  }

  characters(text: string): this {
    const bytes = Buffer.from(text);
    this.count(bytes.length).#bytes.push(...bytes);
    return this;
  }

  /** What is negative has all its 256 bits. */
  integer(value: bigint): this {
    const bytes: number[] = [];
    for (let rest = BigInt.asUintN(256, value); rest > 0n; rest >>= 8n) bytes.push(Number(rest & 255n));
    this.count(bytes.length).#bytes.push(...bytes);
    return this;
  }
}
