import { setImmediate } from 'node:timers/promises';
import type { JettonRow, Marker, MarketRow } from './snapshot-source.js';

/** The published rows of one step: figures as JSON text by jetton and by jetton and pool, known keys only. */
export interface StepTable {
  readonly marker: Marker;
  readonly jettons: ReadonlyMap<string, string>;
  readonly markets: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly marketCount: number;
}

/** Which jettons a snapshot may have changed. */
export type Touched =
  | 'all'
  | {
      /** By their own row. */
      readonly jettons: ReadonlySet<string>;
      /** By a market that came or went. */
      readonly markets: ReadonlySet<string>;
    };

type Newest = Omit<JettonRow, 'jetton'>;

/** Of the rows of one key the one with the greatest version counts, in whatever order and however often they come. */
function keepNewest(rows: Map<string, Newest>, key: string, { version, known, figures }: Newest): void {
  const seen = rows.get(key);
  if (seen === undefined || seen.version < version) rows.set(key, { version, known, figures });
}

interface Tables {
  readonly jettons: Map<string, string>;
  readonly markets: Map<string, Map<string, string>>;
  marketCount: number;
}

// Some 5 ms of work.
const sliceKeys = 5_000;

/**
 * Rows of one step and term on their way into a table: collected off to the side, published at once. Without a base it
 * builds a table anew, with one it moves that table on: rows read later have greater versions than every row of the base.
 */
export class StepBuild {
  readonly #jettons = new Map<string, Newest>();
  readonly #markets = new Map<string, Map<string, Newest>>();
  readonly #tables: Tables;
  readonly #anew: boolean;
  readonly #touched = { jettons: new Set<string>(), markets: new Set<string>() };
  /** Every row up to this version has been added. */
  upTo: bigint;

  constructor(
    readonly term: number,
    base: StepTable | undefined,
  ) {
    this.upTo = base?.marker.version ?? 0n;
    this.#anew = base === undefined;
    // The maps of a base are ours: an earlier build made them.
    this.#tables = {
      jettons: (base?.jettons ?? new Map()) as Map<string, string>,
      markets: (base?.markets ?? new Map()) as Map<string, Map<string, string>>,
      marketCount: base?.marketCount ?? 0,
    };
  }

  /** What differs from the base: everything where there is none. */
  get touched(): Touched {
    return this.#anew ? 'all' : this.#touched;
  }

  addJettons(rows: readonly JettonRow[]): void {
    for (const row of rows) {
      keepNewest(this.#jettons, row.jetton, row);
      if (!this.#anew) this.#touched.jettons.add(row.jetton);
    }
  }

  addMarkets(rows: readonly MarketRow[]): void {
    for (const row of rows) {
      let pools = this.#markets.get(row.jetton);
      if (pools === undefined) this.#markets.set(row.jetton, (pools = new Map()));
      keepNewest(pools, row.pool, row);
    }
  }

  /** Does most of the work of `publish` for a table built anew, in slices, so that requests are answered meanwhile. */
  async prepare(): Promise<void> {
    if (!this.#anew) return;
    while (this.#jettons.size + this.#markets.size > sliceKeys) {
      this.#apply(sliceKeys);
      await setImmediate();
    }
  }

  /** The table as of the marker. The base must not be used any more: its maps are moved on in place. */
  publish(marker: Marker): StepTable {
    this.#apply(Infinity);
    return { ...this.#tables, marker };
  }

  #apply(keysMax: number): void {
    const { jettons, markets } = this.#tables;
    applyRows(jettons, this.#jettons, keysMax);
    let keys = 0;
    for (const [jetton, rows] of this.#markets) {
      if (keys >= keysMax) break;
      const pools = markets.get(jetton) ?? new Map<string, string>();
      const before = pools.size;
      keys += rows.size;
      const others = applyRows(pools, rows, Infinity);
      if (others && !this.#anew) this.#touched.markets.add(jetton);
      this.#tables.marketCount += pools.size - before;
      if (pools.size === 0) markets.delete(jetton);
      else markets.set(jetton, pools);
      this.#markets.delete(jetton);
    }
  }
}

/** Moves rows into a table, `keysMax` at most. Returns whether a key came or went. */
function applyRows(table: Map<string, string>, rows: Map<string, Newest>, keysMax: number): boolean {
  let keys = 0;
  let others = false;
  for (const [key, { known, figures }] of rows) {
    if (keys >= keysMax) break;
    keys += 1;
    others ||= table.has(key) !== known;
    if (known) table.set(key, figures);
    else table.delete(key);
    rows.delete(key);
  }
  return others;
}
