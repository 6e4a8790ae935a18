import { type Assets, createAssets } from '@jetton-analytics/feed';
import { type CalculatedAt, type Rational, type Step, type TrustScore, trustScoreOf } from '@jetton-analytics/figures';
import type { ListSource } from '@jetton-analytics/list-engine';
import type { Rates } from '@jetton-analytics/rates';
import { SETTINGS } from '@jetton-analytics/service';
import { Inject, Injectable } from '@nestjs/common';
import { marketRecord } from './markets/market-records.js';
import { ReadModelTables } from './read-model-tables.js';
import type { JettonRecord } from './records/jetton-record.js';
import type { MarketRecord } from './records/market-record.js';
import type { ReadModelSettings } from './settings.js';
import type { Marker } from './snapshots/snapshot-source.js';
import type { Counts, ItemFigures } from './snapshots/snapshots.js';

const nothing: ItemFigures = { short: undefined, mid: undefined, long: undefined };

/**
 * Everything the query apps answer from, in memory: no request waits for a store. Addresses are raw and lower-case. A
 * jetton is known from metadata or from a trade that was not retracted; native never is.
 */
@Injectable()
export class ReadModel {
  readonly #assets: Assets;

  constructor(
    private readonly tables: ReadModelTables,
    @Inject(SETTINGS) settings: ReadModelSettings,
  ) {
    this.#assets = createAssets(settings);
  }

  /** Clock mode of the snapshots held; undefined before the first. */
  get clock(): string | undefined {
    return this.tables.snapshots.clock;
  }

  /** C of each step, Unix seconds, once every step has been read. */
  get calculatedAt(): CalculatedAt | undefined {
    return this.tables.snapshots.calculatedAt;
  }

  /** C of the hour window, Unix seconds: the instant of prices and metrics. Undefined before the first snapshot. */
  get hourC(): number | undefined {
    return this.tables.snapshots.marker('short')?.calculatedAt;
  }

  /** The newest marker held of a step. */
  marker(step: Step): Marker | undefined {
    return this.tables.snapshots.marker(step);
  }

  /** Jettons and markets that trades are known of. */
  get counts(): Counts {
    return this.tables.snapshots.counts;
  }

  /** Texts of a jetton's snapshot rows, for `jettonFigures` and `usdByDay`; undefined for an unknown jetton. */
  figures(address: string): ItemFigures | undefined {
    return this.tables.snapshots.jetton(address) ?? (this.#isKnown(address) ? nothing : undefined);
  }

  /** Texts of a market's snapshot rows, for `marketFigures`; undefined for a pool that is no market of the jetton. */
  market(address: string, pool: string): ItemFigures | undefined {
    const figures = this.tables.snapshots.market(address, pool);
    if (figures !== undefined) return figures;
    return this.#isKnown(address) && this.tables.pools.statesOf(address).has(pool) ? nothing : undefined;
  }

  /** A jetton's metadata and metrics; undefined for an unknown one. The same object until something of it changes. */
  row(address: string): JettonRecord | undefined {
    const row = this.tables.rows.rowOf(address);
    return row === undefined ? undefined : this.tables.rows.record(row);
  }

  /** The parts behind `row(address).trustScore`, from the same inputs. */
  trustScore(address: string): TrustScore | undefined {
    const row = this.tables.rows.rowOf(address);
    const inputs = row === undefined ? undefined : this.tables.rows.trustInputs(row);
    return inputs && trustScoreOf(inputs);
  }

  /** The pools of a jetton, those of its trades and those whose state names it, by address; [] for an unknown one. */
  marketPools(address: string): readonly string[] {
    if (!this.#isKnown(address)) return [];
    const traded = this.tables.snapshots.table('short')?.markets.get(address)?.keys() ?? [];
    return [...new Set([...traded, ...this.tables.pools.statesOf(address).keys()])].toSorted();
  }

  /** One market of a jetton; undefined for a pool that is none. */
  marketRecord(address: string, pool: string): MarketRecord | undefined {
    if (this.market(address, pool) === undefined) return undefined;
    const inputs = {
      jetton: address,
      pool,
      state: this.tables.pools.state(pool),
      figures: this.tables.snapshots.market(address, pool),
    };
    return marketRecord(inputs, this.#assets, this.tables.deriver.quotes);
  }

  /** Every market of a jetton, by pool address. */
  markets(address: string): readonly MarketRecord[] {
    return this.marketPools(address).flatMap((pool) => this.marketRecord(address, pool) ?? []);
  }

  /** What lists are made from. */
  get list(): ListSource {
    return this.tables.rows;
  }

  /** Daily rates of the fiats; another object after every change. */
  get rates(): Rates {
    return this.tables.rates.rates;
  }

  /** priceUsd / price of the first stable that has both, at C of the hour window. */
  get nativeUsd(): Rational | undefined {
    return this.tables.deriver.quotes.nativeUsd;
  }

  /** Rises with every visible change of a record, a list's order or a rate. */
  get revision(): number {
    return this.tables.rows.revision + this.tables.rates.revision;
  }

  #isKnown(address: string): boolean {
    if (this.#assets.isNative(address)) return false;
    const { metadata, snapshots } = this.tables;
    return metadata.has(address) || (snapshots.table('short')?.jettons.has(address) ?? false);
  }
}
