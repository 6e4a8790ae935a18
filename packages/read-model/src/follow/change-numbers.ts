/** A table whose rows get ever greater change numbers, which become visible in ascending order. */
export interface ChangeSource<Row extends { readonly changeNumber: bigint }> {
  /** Rows with greater numbers, ascending, `rowsMax` at most. */
  rowsAfter(changeNumber: bigint, rowsMax: number): Promise<readonly Row[]>;
}

const pageRows = 5_000;

/**
 * Reads a table whole on the first call and what has changed on each further one, in pages. Rejects with what the source
 * rejects with, and then goes on where it was.
 */
export class ChangeFollower<Row extends { readonly changeNumber: bigint }> {
  #last = 0n;

  constructor(
    private readonly source: ChangeSource<Row>,
    private readonly apply: (rows: readonly Row[]) => void,
    private readonly rowsMax = pageRows,
  ) {}

  readonly followOnce = async (): Promise<void> => {
    for (;;) {
      const rows = await this.source.rowsAfter(this.#last, this.rowsMax);
      this.apply(rows);
      this.#last = rows.at(-1)?.changeNumber ?? this.#last;
      if (rows.length < this.rowsMax) return;
    }
  };
}
