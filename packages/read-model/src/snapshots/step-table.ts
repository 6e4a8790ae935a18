import { FewMap, type ReadonlyFewMap } from '../stores/few-map.js';
import type { JettonRow, Marker, MarketRow } from './snapshot-source.js';

/** The published rows of one step: figures as JSON text by jetton and by jetton and pool, known keys only. */
export interface StepTable {
  readonly marker: Marker;
  readonly jettons: ReadonlyMap<string, string>;
  readonly markets: ReadonlyMap<string, ReadonlyFewMap<string>>;
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

type Row = Omit<JettonRow, 'jetton'>;
type Figures = Map<string, string>;
type MarketFigures = FewMap<string>;
type Versions = Map<string, bigint>;

interface Tables {
  readonly jettons: Figures;
  readonly markets: Map<string, MarketFigures>;
  marketCount: number;
}

/**
 * Takes over a row where it is the newest of its key, in whatever order and however often they come. `versions` holds
 * those of the keys that are not in the table at the version `usual`; returns it, made where there was none.
 */
function takeNewest(
  figures: Figures | MarketFigures,
  versions: Versions | undefined,
  key: string,
  row: Row,
  usual: bigint,
): Versions | undefined {
  const seen = versions?.get(key) ?? (figures.has(key) ? usual : undefined);
  if (seen !== undefined && seen >= row.version) return versions;
  if (row.known) figures.set(key, row.figures);
  else figures.delete(key);
  if (!row.known || row.version !== usual) return (versions ?? new Map<string, bigint>()).set(key, row.version);
  versions?.delete(key);
  return versions;
}

/** A table made anew, row by row as they come: nobody sees it before it is published. */
class NewTables implements Tables {
  readonly jettons: Figures = new Map();
  readonly markets = new Map<string, MarketFigures>();
  marketCount = 0;
  #jettonVersions: Versions | undefined;
  readonly #marketVersions = new Map<string, Versions>();
  // A term begins with a snapshot of every key: to remember that version of each would be as many objects again.
  #usual: bigint | undefined;

  addJettons(rows: readonly JettonRow[]): void {
    for (const row of rows) {
      const usual = (this.#usual ??= row.version);
      this.#jettonVersions = takeNewest(this.jettons, this.#jettonVersions, row.jetton, row, usual);
    }
  }

  addMarkets(rows: readonly MarketRow[]): void {
    for (const row of rows) {
      const usual = (this.#usual ??= row.version);
      const held = this.markets.get(row.jetton);
      const figures = held ?? new FewMap<string>();
      const before = figures.size;
      const known = this.#marketVersions.get(row.jetton);
      const versions = takeNewest(figures, known, row.pool, row, usual);
      if (versions !== undefined && known === undefined) this.#marketVersions.set(row.jetton, versions);
      this.marketCount += figures.size - before;
      if (figures.size === 0) this.markets.delete(row.jetton);
      else if (held === undefined) this.markets.set(row.jetton, figures);
    }
  }
}

/** Rows that move a published table on: kept aside until then. */
class Changes {
  readonly #jettons = new Map<string, Row>();
  readonly #markets = new Map<string, Map<string, Row>>();

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

  /** Which jettons differ: those with a row, and those of which a market came or went. */
  moveOn(tables: Tables): Touched {
    const touched = { jettons: new Set(this.#jettons.keys()), markets: new Set<string>() };
    applyRows(tables.jettons, this.#jettons);
    for (const [jetton, rows] of this.#markets) {
      const pools = tables.markets.get(jetton) ?? new FewMap<string>();
      const before = pools.size;
      if (applyRows(pools, rows)) touched.markets.add(jetton);
      tables.marketCount += pools.size - before;
      if (pools.size === 0) tables.markets.delete(jetton);
      else tables.markets.set(jetton, pools);
    }
    return touched;
  }
}

function keepNewest(rows: Map<string, Row>, key: string, row: Row): void {
  const seen = rows.get(key);
  if (seen === undefined || seen.version < row.version) rows.set(key, row);
}

/** Moves rows into a table. Returns whether a key came or went. */
function applyRows(table: Figures | MarketFigures, rows: ReadonlyMap<string, Row>): boolean {
  let others = false;
  for (const [key, { known, figures }] of rows) {
    others ||= table.has(key) !== known;
    if (known) table.set(key, figures);
    else table.delete(key);
  }
  return others;
}

/**
 * Rows of one step and term on their way into a table: collected off to the side, published at once. Without a base it
 * builds a table anew, with one it moves that table on: rows read later have greater versions than every row of the base.
 */
export class StepBuild {
  readonly #rows: NewTables | Changes;
  readonly #tables: Tables;
  #touched: Touched = 'all';
  /** Every row up to this version has been added. */
  upTo: bigint;

  constructor(
    readonly term: number,
    base: StepTable | undefined,
  ) {
    this.upTo = base?.marker.version ?? 0n;
    if (base === undefined) this.#rows = this.#tables = new NewTables();
    else {
      this.#rows = new Changes();
      // The maps of a base are ours: an earlier build made them.
      this.#tables = {
        jettons: base.jettons as Figures,
        markets: base.markets as Map<string, MarketFigures>,
        marketCount: base.marketCount,
      };
    }
  }

  /** What differs from the base, once published: everything where there is none. */
  get touched(): Touched {
    return this.#touched;
  }

  addJettons(rows: readonly JettonRow[]): void {
    this.#rows.addJettons(rows);
  }

  addMarkets(rows: readonly MarketRow[]): void {
    this.#rows.addMarkets(rows);
  }

  /** The table as of the marker. The base must not be used any more: its maps are moved on in place. */
  publish(marker: Marker): StepTable {
    if (this.#rows instanceof Changes) this.#touched = this.#rows.moveOn(this.#tables);
    const { jettons, markets, marketCount } = this.#tables;
    return { marker, jettons, markets, marketCount };
  }
}
