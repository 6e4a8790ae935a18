import type { JettonRow, Marker, MarketRow } from './snapshot-source.js';

/** The published rows of one step: figures as JSON text by jetton and by jetton and pool, known keys only. */
export interface StepTable {
  readonly marker: Marker;
  readonly jettons: ReadonlyMap<string, string>;
  readonly markets: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly marketCount: number;
}

type Newest = Omit<JettonRow, 'jetton'>;

/** Of the rows of one key the one with the greatest version counts, in whatever order and however often they come. */
function keepNewest(rows: Map<string, Newest>, key: string, { version, known, figures }: Newest): void {
  const seen = rows.get(key);
  if (seen === undefined || seen.version < version) rows.set(key, { version, known, figures });
}

/**
 * Rows of one step and term on their way into a table: collected off to the side, published at once. Without a base it
 * builds a table anew, with one it moves that table on: rows read later have greater versions than every row of the base.
 */
export class StepBuild {
  readonly #jettons = new Map<string, Newest>();
  readonly #markets = new Map<string, Map<string, Newest>>();
  /** Every row up to this version has been added. */
  upTo: bigint;

  constructor(
    readonly term: number,
    private readonly base: StepTable | undefined,
  ) {
    this.upTo = base?.marker.version ?? 0n;
  }

  addJettons(rows: readonly JettonRow[]): void {
    for (const row of rows) keepNewest(this.#jettons, row.jetton, row);
  }

  addMarkets(rows: readonly MarketRow[]): void {
    for (const row of rows) {
      let pools = this.#markets.get(row.jetton);
      if (pools === undefined) this.#markets.set(row.jetton, (pools = new Map()));
      keepNewest(pools, row.pool, row);
    }
  }

  /** The table as of the marker. The base must not be used any more: its maps are moved on in place. */
  publish(marker: Marker): StepTable {
    const jettons = (this.base?.jettons ?? new Map()) as Map<string, string>; // ours: made below, by the build before
    const markets = (this.base?.markets ?? new Map()) as Map<string, Map<string, string>>;
    applyRows(jettons, this.#jettons);
    let marketCount = this.base?.marketCount ?? 0;
    for (const [jetton, rows] of this.#markets) {
      const pools = markets.get(jetton) ?? new Map<string, string>();
      const before = pools.size;
      applyRows(pools, rows);
      marketCount += pools.size - before;
      if (pools.size === 0) markets.delete(jetton);
      else markets.set(jetton, pools);
    }
    return { marker, jettons, markets, marketCount };
  }
}

function applyRows(table: Map<string, string>, rows: ReadonlyMap<string, Newest>): void {
  for (const [key, { known, figures }] of rows) {
    if (known) table.set(key, figures);
    else table.delete(key);
  }
}
