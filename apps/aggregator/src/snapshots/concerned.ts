import type { Market } from './market.js';

/** The jettons and markets whose figures may differ from those of the snapshot before. */
export class Concerned {
  readonly jettons = new Set<string>();
  /** By `jetton|pool`; trades without a pool are in no market. */
  readonly markets = new Map<string, Market>();

  /** Each market concerns its jetton too. */
  add(markets: Iterable<Market>): void {
    for (const { jetton, pool } of markets) {
      this.jettons.add(jetton);
      if (pool !== '') this.markets.set(`${jetton}|${pool}`, { jetton, pool });
    }
  }

  /** What of `others` is not among these yet. */
  lacking(others: Concerned): Concerned {
    const lacking = new Concerned();
    for (const jetton of others.jettons) if (!this.jettons.has(jetton)) lacking.jettons.add(jetton);
    for (const [key, market] of others.markets) if (!this.markets.has(key)) lacking.markets.set(key, market);
    return lacking;
  }

  /** Takes over what another has. */
  join(others: Concerned): void {
    for (const jetton of others.jettons) this.jettons.add(jetton);
    for (const [key, market] of others.markets) this.markets.set(key, market);
  }
}
