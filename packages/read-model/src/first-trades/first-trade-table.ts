export interface FirstTrade {
  readonly jetton: string;
  /** Unix seconds. */
  readonly firstTrade: number;
}

/** The earliest trade ever seen of each jetton; a stored minimum, which only falls. */
export class FirstTradeTable {
  readonly #firstTrades = new Map<string, number>();
  readonly #listeners: ((jetton: string) => void)[] = [];

  onChange(listener: (jetton: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Unix seconds. */
  firstTrade(jetton: string): number | undefined {
    return this.#firstTrades.get(jetton);
  }

  readonly apply = (rows: readonly FirstTrade[]): void => {
    for (const { jetton, firstTrade } of rows) {
      const former = this.#firstTrades.get(jetton);
      if (former !== undefined && former <= firstTrade) continue;
      this.#firstTrades.set(jetton, firstTrade);
      for (const listener of this.#listeners) listener(jetton);
    }
  };
}
