import { createHash } from 'node:crypto';
import { SortField, type Verification } from '@jetton-analytics/common';
import { fold, type ListSource } from '@jetton-analytics/list-engine';

const verdicts: readonly Verification[] = ['JVS_NONE', 'JVS_NONE', 'JVS_NONE', 'JVS_APPROVED', 'JVS_SCAM'];
const syllables = ['ton', 'coin', 'doge', 'cat', 'moon', 'pepe', 'not', 'hamster', 'gram', 'usd', 'ston', 'rocket'];
/** Numbers below 2^32, the same for every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    // Numerical Recipes' linear congruence: good enough to spread figures.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

/** A source of that many jettons in columns; a fifth of the figures of each field is missing. */
export class BenchRows implements ListSource {
  revision = 1;
  readonly #addresses: string[] = [];
  readonly #texts: string[] = [];
  readonly #verdicts: Verification[] = [];
  readonly #columns: ReadonlyMap<SortField, Float64Array>;
  readonly #rows = new Map<string, number>();

  constructor(readonly size: number) {
    const random = randomNumbers(1);
    const pick = () => syllables[random() % syllables.length] ?? '';
    for (let row = 0; row < size; row += 1) {
      const address = `0:${createHash('sha256').update(String(row)).digest('hex')}`;
      this.#addresses.push(address);
      this.#rows.set(address, row);
      this.#texts.push(`${fold(`${pick()} ${pick()}${row}`)}\n${fold(pick().slice(0, 3) + (row % 1_000))}`);
      this.#verdicts.push(verdicts[random() % verdicts.length] ?? 'JVS_NONE');
    }
    const columns = SortField.options.map((field) => {
      const column = Float64Array.from({ length: size }, () =>
        random() % 5 === 0 ? Number.NaN : random() % 1_000_000,
      );
      return [field, column] as const;
    });
    this.#columns = new Map(columns);
  }

  /** Gives that many rows a new figure in every column. */
  move(count: number, random: () => number): void {
    for (let turn = 0; turn < count; turn += 1) {
      const row = random() % this.size;
      for (const column of this.#columns.values()) column[row] = random() % 1_000_000;
    }
    this.revision += 1;
  }

  isRow(row: number): boolean {
    return row < this.size;
  }

  address(row: number): string {
    return this.#addresses[row] ?? '';
  }

  rowOf(address: string): number | undefined {
    return this.#rows.get(address);
  }

  column(field: SortField): Float64Array {
    return this.#columns.get(field) ?? new Float64Array(0);
  }

  exact(field: SortField, row: number): bigint | undefined {
    const value = this.column(field)[row] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : BigInt(value);
  }

  verification(row: number): Verification {
    return this.#verdicts[row] ?? 'JVS_NONE';
  }

  admin(): undefined {
    return undefined;
  }

  searchText(row: number): string {
    return this.#texts[row] ?? '\n';
  }
}
