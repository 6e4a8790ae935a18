import type { CalculatedAt, Step } from '@jetton-analytics/figures';
import type { Marker, Positions } from './snapshot-source.js';
import type { StepTable, Touched } from './step-table.js';

/** Figures texts of one item by step; undefined where a step has not calculated it yet. */
export type ItemFigures = Readonly<Record<Step, string | undefined>>;

export interface Counts {
  readonly jettons: number;
  readonly markets: number;
}

/** Is told of every snapshot that has been taken over, and of the jettons that it may have changed. */
export type SnapshotListener = (step: Step, touched: Touched) => void;

/**
 * The newest published snapshot of each step, in memory. Which jettons and markets there are is what the short step
 * says: it is calculated most often and holds every key; one that the other steps do not have yet had nothing in their
 * windows.
 */
export class Snapshots {
  #tables: { [S in Step]?: StepTable } = {};
  #clock: string | undefined;
  readonly #listeners: SnapshotListener[] = [];

  /** Clock mode of the snapshots held; undefined before the first. */
  get clock(): string | undefined {
    return this.#clock;
  }

  onPublished(listener: SnapshotListener): void {
    this.#listeners.push(listener);
  }

  /** Snapshots taken by another clock are worth nothing: they go at once. */
  beginClock(clock: string | undefined): void {
    if (clock === this.#clock) return;
    this.#clock = clock;
    const held = Object.keys(this.#tables) as Step[];
    this.#tables = {};
    for (const step of held) this.#tell(step, 'all');
  }

  table(step: Step): StepTable | undefined {
    return this.#tables[step];
  }

  marker(step: Step): Marker | undefined {
    return this.#tables[step]?.marker;
  }

  publish(step: Step, table: StepTable, touched: Touched = 'all'): void {
    this.#tables[step] = table;
    this.#tell(step, touched);
  }

  #tell(step: Step, touched: Touched): void {
    for (const listener of this.#listeners) listener(step, touched);
  }

  get positions(): Positions {
    const { short, mid, long } = this.#tables;
    return {
      ...(short && { short: short.marker }),
      ...(mid && { mid: mid.marker }),
      ...(long && { long: long.marker }),
    };
  }

  /** C of each step, once every step has been read. */
  get calculatedAt(): CalculatedAt | undefined {
    const { short, mid, long } = this.#tables;
    if (short === undefined || mid === undefined || long === undefined) return undefined;
    return {
      short: short.marker.calculatedAt,
      mid: mid.marker.calculatedAt,
      long: long.marker.calculatedAt,
    };
  }

  jetton(address: string): ItemFigures | undefined {
    const { short, mid, long } = this.#tables;
    const known = short?.jettons.get(address);
    if (known === undefined) return undefined;
    return { short: known, mid: mid?.jettons.get(address), long: long?.jettons.get(address) };
  }

  market(address: string, pool: string): ItemFigures | undefined {
    const { short, mid, long } = this.#tables;
    const known = short?.markets.get(address)?.get(pool);
    if (known === undefined) return undefined;
    return { short: known, mid: mid?.markets.get(address)?.get(pool), long: long?.markets.get(address)?.get(pool) };
  }

  get counts(): Counts {
    const { short } = this.#tables;
    return { jettons: short?.jettons.size ?? 0, markets: short?.marketCount ?? 0 };
  }
}
