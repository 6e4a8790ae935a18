import type { CalculatedAt, Rational, Step, TrustScore } from '@jetton-analytics/figures';
import type { JettonRecord } from './records/jetton-record.js';
import type { MarketRecord } from './records/market-record.js';
import type { Marker } from './snapshots/snapshot-source.js';
import type { Counts, ItemFigures, Snapshots } from './snapshots/snapshots.js';

/** Everything the query apps answer from: no request waits for a store. */
export class ReadModel {
  constructor(private readonly snapshots: Snapshots) {}

  /** Clock mode of the snapshots held; undefined before the first. */
  get clock(): string | undefined {
    return this.snapshots.clock;
  }

  /** C of each step, Unix seconds, once every step has been read. */
  get calculatedAt(): CalculatedAt | undefined {
    return this.snapshots.calculatedAt;
  }

  /** C of the hour window, Unix seconds: the instant of prices and metrics. */
  get hourC(): number | undefined {
    return this.snapshots.marker('short')?.calculatedAt;
  }

  /** The newest marker held of a step. */
  marker(step: Step): Marker | undefined {
    return this.snapshots.marker(step);
  }

  get counts(): Counts {
    return this.snapshots.counts;
  }

  /** Texts of a jetton's snapshot rows, for `jettonFigures`; undefined for an unknown jetton. `address` is raw. */
  figures(address: string): ItemFigures | undefined {
    return this.snapshots.jetton(address);
  }

  /** Texts of a market's snapshot rows, for `marketFigures`; undefined for a pool that is no market of the jetton. */
  market(address: string, pool: string): ItemFigures | undefined {
    return this.snapshots.market(address, pool);
  }
}

/** What the model answers of jettons beyond their statistics. Addresses are raw and lower-case. */
export interface JettonQueries {
  /** Rises with every visible change of a record, a label, a rate or the order of a list. */
  readonly revision: number;
  /** A jetton known from metadata or from a trade that was not retracted, native never; undefined for any other. */
  row(address: string): JettonRecord | undefined;
  /** The parts behind `row(address).trustScore`, of the same inputs. */
  trustScore(address: string): TrustScore | undefined;
  /** The pools of a jetton: those of its trades and those whose state names it; [] for an unknown jetton. */
  marketPools(address: string): readonly string[];
  /** Undefined for a pool that is no market of the jetton. */
  marketRecord(address: string, pool: string): MarketRecord | undefined;
  markets(address: string): readonly MarketRecord[];
  /** priceUsd / price of the first stable that has both, at C of the hour window. */
  readonly nativeUsd: Rational | undefined;
}
