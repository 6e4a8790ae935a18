import type { RowBinaryReader } from '@jetton-analytics/clickhouse';

/** A column of addresses that several tables have in about the same order. */
export type OrderedColumn = 'jetton' | 'pool';

// A length of one byte: a longer text is read as others are.
const lengthMax = 127;

/** The texts held, by number, and the number of each. */
class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  // Each as a column has it, its length and its bytes: to be compared four bytes at a time.
  readonly #starts: number[] = [];
  #bytes = Buffer.allocUnsafeSlow(1 << 16);
  #view = viewOf(this.#bytes);
  #end = 0;

  /** `text` is ASCII; another one is never found by {@link isNext}. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    this.#starts.push(this.#end);
    if (text.length <= lengthMax) this.#keep(text);
    return number;
  }

  text(number: number): string | undefined {
    return this.#texts[number];
  }

  /** Steps over the next column where it is this text. */
  isNext(number: number, row: RowBinaryReader): boolean {
    const start = this.#starts[number] ?? this.#end;
    const length = (this.#starts[number + 1] ?? this.#end) - start;
    return length > 0 && row.takeSame(this.#view, start, length);
  }

  #keep(text: string): void {
    const needed = this.#end + 1 + text.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length);
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
      this.#view = viewOf(larger);
    }
    this.#bytes[this.#end] = text.length;
    this.#bytes.write(text, this.#end + 1, 'latin1');
    this.#end = needed;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) => new DataView(buffer, byteOffset, byteLength);

/**
 * One string object for equal texts: an address comes in with every row that names it, and is kept in many places. It
 * holds as many texts as there are addresses in the stores.
 */
export class Interner {
  readonly #texts = new Texts();
  // By the number of a text + 1, 0 being the begin: the number of the text that came after it when it was last read.
  readonly #successors: Readonly<Record<OrderedColumn, number[]>> = { jetton: [], pool: [] };

  readonly of = (text: string): string => this.#texts.text(this.#texts.numberOf(text)) ?? text;

  /** Reads one column of one table, row after row. */
  column(column: OrderedColumn): InternedColumn {
    return new InternedColumn(this.#texts, this.#successors[column]);
  }
}

/**
 * Reads addresses of a column as the objects held. It expects each to be followed by the one that followed it in the
 * table read before, which is then told by comparing bytes: to make a text and to look it up is ten times the work.
 */
export class InternedColumn {
  #place = 0;

  constructor(
    private readonly texts: Texts,
    private readonly successors: number[],
  ) {}

  /** The next column of the row, a text known to be ASCII. */
  read(row: RowBinaryReader): string {
    const expected = this.successors[this.#place];
    if (expected !== undefined && this.texts.isNext(expected, row)) {
      this.#place = expected + 1;
      return this.texts.text(expected) ?? '';
    }
    const text = row.ascii();
    const number = this.texts.numberOf(text);
    this.successors[this.#place] = number;
    this.#place = number + 1;
    return this.texts.text(number) ?? text;
  }
}
