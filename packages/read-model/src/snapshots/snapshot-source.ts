import type { Step } from '@jetton-analytics/figures';

/** The newest leadership and the clock its snapshots were taken by. */
export interface Term {
  readonly term: number;
  readonly clock: string;
}

/**
 * The newest marker of one step in one term: it publishes all rows of that step and term up to its version. The first
 * snapshot of a term holds every key, so that a term with a marker can be read by itself.
 */
export interface Marker {
  readonly term: number;
  readonly step: Step;
  readonly version: bigint;
  /** C, Unix seconds. */
  readonly calculatedAt: number;
  /** T when the snapshot was taken, Unix seconds. */
  readonly asOf: number;
  /** Sum over the partitions of the next offset whose trades the snapshot holds. */
  readonly inputPosition: string;
}

/** A marker beyond a position, with the rows that all snapshots in between wrote. */
export interface NewerMarker extends Marker {
  readonly rowCount: number;
}

/** Up to where a step has been read. */
export interface Position {
  readonly term: number;
  readonly version: bigint;
}
export type Positions = { readonly [S in Step]?: Position };

/** Rows of one step and term with after < version <= upTo. */
export interface RowRange {
  readonly term: number;
  readonly step: Step;
  readonly after: bigint;
  readonly upTo: bigint;
  /** How many rows there are, jettons and markets together, as the markers tell. */
  readonly rowCount: number;
}

export interface JettonRow {
  readonly jetton: string;
  readonly version: bigint;
  readonly known: boolean;
  /** The figures as JSON text, see figures-text.ts. */
  readonly figures: string;
}

export interface MarketRow extends JettonRow {
  readonly pool: string;
}

/** What the follower reads. Every method rejects while the store is away. */
export interface SnapshotSource {
  /** A number that is most likely another one after a new marker, and costs next to nothing to ask for. */
  markerCount(): Promise<number>;
  newestTerm(): Promise<Term | undefined>;
  /**
   * Markers beyond the positions, the newest of each step and term: of this term, of those before it back to the last one
   * of another clock, and of any that came after it.
   */
  newerMarkers(newest: Term, positions: Positions): Promise<NewerMarker[]>;
  jettonRows(range: RowRange): AsyncIterable<readonly JettonRow[]>;
  marketRows(range: RowRange): AsyncIterable<readonly MarketRow[]>;
}
