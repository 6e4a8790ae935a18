/** What the owners of a jetton hold together, summed over its shards. Raw units. */
export interface HolderFigures {
  readonly asset: string;
  /** Sum of the versions of the shards: rises with every change of one. */
  readonly version: bigint;
  /** Owners with a balance above 0, burn addresses excluded. */
  readonly holders: bigint;
  readonly balanceSum: bigint;
  readonly burnedSum: bigint;
  /** Sum of the ten greatest balances that are not of burn addresses. */
  readonly topTenSum: bigint;
  /** Timestamp of the newest balance, Unix seconds. */
  readonly newestTimestamp: number;
}

/** Holders by jetton. */
export class HolderTable {
  readonly #figures = new Map<string, HolderFigures>();
  readonly #listeners: ((asset: string) => void)[] = [];

  onChange(listener: (asset: string) => void): void {
    this.#listeners.push(listener);
  }

  figures(asset: string): HolderFigures | undefined {
    return this.#figures.get(asset);
  }

  /** Takes over what is newer than known, in whatever order and however often it comes. */
  readonly apply = (rows: readonly HolderFigures[]): void => {
    for (const row of rows) {
      const former = this.#figures.get(row.asset);
      if (former !== undefined && former.version >= row.version) continue;
      this.#figures.set(row.asset, row);
      for (const listener of this.#listeners) listener(row.asset);
    }
  };
}
