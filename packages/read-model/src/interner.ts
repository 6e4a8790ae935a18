import type { RowBinaryReader } from '@jetton-analytics/clickhouse';

/** A column of addresses that several tables have in about the same order. */
export type OrderedColumn = 'jetton' | 'pool';

/** The texts held, by number, and the number of each. */
interface Texts {
  readonly byNumber: string[];
  numberOf(text: string): number;
}

/**
 * One string object for equal texts: an address comes in with every row that names it, and is kept in many places. It
 * holds as many texts as there are addresses in the stores.
 */
export class Interner {
  readonly #numbers = new Map<string, number>();
  readonly #texts: Texts = {
    byNumber: [],
    numberOf: (text) => {
      const known = this.#numbers.get(text);
      if (known !== undefined) return known;
      const number = this.#texts.byNumber.push(text) - 1;
      this.#numbers.set(text, number);
      return number;
    },
  };
  // By the number of a text + 1, 0 being the begin: the number of the text that came after it when it was last read.
  readonly #successors: Readonly<Record<OrderedColumn, number[]>> = { jetton: [], pool: [] };

  readonly of = (text: string): string => {
    const known = this.#texts.byNumber[this.#texts.numberOf(text)];
    return known ?? text;
  };

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
    if (expected !== undefined) {
      const text = this.texts.byNumber[expected] ?? '';
      if (row.takeAscii(text)) {
        this.#place = expected + 1;
        return text;
      }
    }
    const text = row.ascii();
    const number = this.texts.numberOf(text);
    this.successors[this.#place] = number;
    this.#place = number + 1;
    return this.texts.byNumber[number] ?? text;
  }
}
