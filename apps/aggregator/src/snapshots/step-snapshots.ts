import { type ClickHouseWriter, jettonSpans } from '@jetton-analytics/clickhouse';
import { type Step } from '@jetton-analytics/figures';
import { bucketVersions, type Coverage, coverRange, daySeconds, hourSeconds, rowsOf } from '@jetton-analytics/rollups';
import type { AssetFacts, FactsChange } from './asset-facts.js';
import { anchorsOf, cutMinutes, edgesOf } from './edges.js';
import { inTurns } from './in-turns.js';
import { KnownMarkets } from './known-markets.js';
import type { Market } from './market.js';
import { PriceBook, type PriceSettings } from './price-book.js';
import { readTouchedMarkets, type TouchedMarket } from './price-inputs.query.js';
import { jettonWindows, marketWindows } from './snapshot-rows.js';
import {
  type AsBefore,
  ChangedRows,
  type Figures,
  insertMarker,
  type MarkerRow,
  snapshotVersion,
} from './snapshot.sink.js';
import { usdByDay } from './usd-by-day.js';
import { type HalfSums, sumsByWindow, windowSumsQueries } from './window-sums.query.js';

/** Per partition of the trades topic the next offset whose trades are durable, as text. */
export type Positions = ReadonlyMap<number, string>;

export interface Instant {
  /** C, Unix seconds. */
  readonly calculatedAt: number;
  /** T, Unix seconds. */
  readonly asOf: number;
  /** Everything before these offsets is in the ledger and its minute rollups. */
  readonly positions: Positions;
  /** UTC day of the injected clock, `YYYY-MM-DD`. */
  readonly markedOn: string;
  /** Rebuilds that have finished: one more, and any bucket may have changed. */
  readonly rebuilds?: number;
}

export interface SnapshotTaken {
  readonly version: string;
  readonly rows: number;
  readonly full: boolean;
}

/** A jump of C beyond this is cheaper to calculate anew than to follow. */
const followedSecondsMax = 3_600;

/** Beyond so many touched buckets to begin anew is cheaper than to follow (measured: from 5,000 in a small store on). */
const touchedBucketsMax = 10_000;

// Each is a key and day with states of traders, a kilobyte or two: far from the memory that a statement may take.
const rowsPerStatementMax = 400_000;

const markets = (step: Step) => step !== 'short';

/**
 * The snapshots of one step in one term of leadership. The first is full; later ones calculate the sums anew and the
 * prices of markets with a change, and write the rows that differ. One at a time.
 */
export class StepSnapshots {
  readonly #known = new KnownMarkets();
  readonly #jettonRows: ChangedRows;
  readonly #marketRows: ChangedRows;
  readonly #prices: PriceBook;
  /** Of keys without legs in any window: the prices that their figures were made of in the newest snapshot. */
  readonly #restedOn = new Map<string, readonly unknown[]>();
  /** Figures of a market without trades, by its counterpart. */
  readonly #zeros = new Map<string, Figures>();
  #last: Instant | undefined;
  #sequence = 0;
  /** A marker whose insert has not been acknowledged: whether readers see its snapshot is not known. */
  #openMarker: MarkerRow | undefined;

  constructor(
    private readonly store: ClickHouseWriter,
    private readonly step: Step,
    private readonly term: number,
    private readonly facts: AssetFacts,
    private readonly settings: PriceSettings,
  ) {
    this.#prices = new PriceBook(store, facts, settings);
    this.#jettonRows = new ChangedRows(store, term, step);
    this.#marketRows = new ChangedRows(store, term, step);
  }

  /** The instant of the newest snapshot; undefined before the first. */
  get last(): Instant | undefined {
    return this.#last;
  }

  /** Whether facts have become known that the newest snapshot did not have. */
  get hasNewFacts(): boolean {
    return this.facts.hasNews;
  }

  /**
   * Calculates, writes and publishes the snapshot of an instant. After an error the step begins anew with the next one.
   * `assertLeading` throws once the leadership is lost; it is asked before each write.
   */
  async take(instant: Instant, assertLeading: () => void): Promise<SnapshotTaken> {
    const last = this.#last;
    this.#last = undefined;
    await this.#mark(assertLeading);
    const isFar =
      last === undefined ||
      instant.calculatedAt - last.calculatedAt > followedSecondsMax ||
      instant.rebuilds !== last.rebuilds;
    const touched = isFar ? undefined : await this.#touched(last.positions, instant.positions);
    const full = touched === undefined;
    const change = this.facts.advance();
    if (full) this.#restedOn.clear();
    if (full) await this.#known.load(this.store, this.facts);
    else await this.#update(touched, change);
    const anchors = anchorsOf(this.step, instant.calculatedAt);
    // An empty ledger, before its first backlog: its figures are ready at once, and the processor is the backlog's.
    const isEmpty = this.#known.jettons.length === 0;
    const [jettonSums, marketSums] = await Promise.all([
      isEmpty ? [] : this.#sums('jetton', instant.calculatedAt),
      isEmpty || !markets(this.step) ? [] : this.#sums('pool', instant.calculatedAt),
      full
        ? this.#prices.load(anchors, this.#known.pairs, this.#known.jettons)
        : this.#prices.advance(anchors, touched, this.#revalued(change)),
    ]);
    this.#sequence += 1;
    const version = snapshotVersion(instant.calculatedAt, this.term, this.#sequence);
    assertLeading();
    const jettonCount = await this.#jettonRows.write('jetton', await this.#jettonFigures(jettonSums), version);
    assertLeading();
    const marketCount = await this.#marketRows.write('market', await this.#marketFigures(marketSums), version);
    const position = [...instant.positions.values()].reduce((sum, offset) => sum + BigInt(offset), 0n).toString();
    const { calculatedAt, asOf, markedOn } = instant;
    const rows = jettonCount + marketCount;
    this.#openMarker = [this.term, this.step, version, calculatedAt, asOf, rows, position, markedOn];
    await this.#mark(assertLeading);
    this.#last = instant;
    return { version, rows, full };
  }

  /** Publishes the rows written last. A marker that failed is repeated before any of them is written over. */
  async #mark(assertLeading: () => void): Promise<void> {
    if (this.#openMarker === undefined) return;
    assertLeading();
    await this.store.insert(insertMarker, [this.#openMarker]);
    this.#openMarker = undefined;
    this.#jettonRows.published();
    this.#marketRows.published();
  }

  async #update(touched: readonly TouchedMarket[], change: FactsChange): Promise<void> {
    this.#known.updateStated(this.facts, change.pools);
    await this.#known.update(this.store, touched);
  }

  /** The markets whose price, or whose jetton's, rests on a fact that changed. */
  #revalued({ assets, pools }: FactsChange): readonly Market[] {
    if (assets.size === 0 && pools.size === 0) return [];
    return this.#known.pairs.filter(
      (market) => assets.has(market.jetton) || pools.has(market.pool) || assets.has(this.#prices.counterpart(market)),
    );
  }

  /** The buckets touched between two positions; undefined where they are too many to follow. */
  async #touched(from: Positions, to: Positions): Promise<TouchedMarket[] | undefined> {
    const ranges = [...to].flatMap(([partition, position]) => {
      const before = from.get(partition) ?? '0';
      if (before === position) return [];
      // A log that was cut begins anew.
      return [{ partition, from: BigInt(before) > BigInt(position) ? '0' : before, to: position }];
    });
    const touched = await readTouchedMarkets(this.store, ranges, touchedBucketsMax + 1);
    return touched.length > touchedBucketsMax ? undefined : touched;
  }

  async #sums(kind: 'jetton' | 'pool', calculatedAt: number): Promise<HalfSums[]> {
    const edges = edgesOf(this.step, calculatedAt);
    const { coverage, rows } = await this.#coverage(kind, edges);
    const params = {
      calculatedAt,
      edgeSecond: calculatedAt % 60,
      cutMinutes: cutMinutes(edges),
      from: edges[0] ?? calculatedAt,
      days: [...coverage.days],
      hours: [...coverage.hours],
      minuteHours: [...coverage.minuteHours],
    };
    const sums: HalfSums[] = [];
    const query = windowSumsQueries[kind][this.step];
    for (const span of jettonSpans(Math.max(1, Math.ceil(rows / rowsPerStatementMax)))) {
      // In chunks, so that others have the thread in between.
      for await (const chunk of this.store.stream(query, { ...params, ...span }))
        for (const row of chunk) sums.push(row);
    }
    return sums;
  }

  /** What the range is read from, and its rows as far as they were counted. */
  async #coverage(
    kind: 'jetton' | 'pool',
    edges: readonly number[],
  ): Promise<{ readonly coverage: Coverage; readonly rows: number }> {
    const first = edges[0] ?? 0;
    const last = edges.at(-1) ?? 0;
    if (this.step === 'short') {
      // Two hours hold at most one whole hour: minutes alone are as cheap, and need no comparison.
      const hours = [];
      for (let hour = first - (first % hourSeconds); hour < last; hour += hourSeconds) hours.push(hour);
      return { coverage: { days: [], hours: [], minuteHours: hours }, rows: 0 };
    }
    const versions = await this.store.query(bucketVersions[kind], {
      from: first - (first % daySeconds),
      to: last - (last % daySeconds) + daySeconds,
    });
    const coverage = coverRange(versions, edges);
    return { coverage, rows: rowsOf(coverage, versions) };
  }

  async #jettonFigures(sums: readonly HalfSums[]): Promise<Map<string, Figures | AsBefore>> {
    const byJetton = Map.groupBy(sums, (row) => row.jetton);
    const made = new Map<string, Figures | AsBefore>();
    await inTurns(this.#known.jettons, (jetton) => {
      const halves = byJetton.get(jetton);
      const figures = (): Figures => ({
        windows: jettonWindows(this.step, jetton, sumsByWindow(this.step, halves ?? []), this.#prices),
        usdByDay: usdByDay(this.step, halves ?? []),
        ...(this.step === 'short' && { changedAt: this.#prices.jettonPrice(0, jetton).changedAt }),
      });
      const rests = halves === undefined ? this.#prices.ofJetton(jetton) : undefined;
      made.set(jetton, this.#restsAsBefore(jetton, rests) ? figures : figures());
    });
    return made;
  }

  async #marketFigures(sums: readonly HalfSums[]): Promise<Map<string, Figures | AsBefore>> {
    const byMarket = Map.groupBy(sums, (row) => `${row.jetton}|${row.pool}`);
    const made = new Map<string, Figures | AsBefore>();
    await inTurns(this.#known.markets, (market) => {
      const key = `${market.jetton}|${market.pool}`;
      const counterpart = this.#prices.counterpart(market);
      const halves = byMarket.get(key);
      const figures = (): Figures => {
        if (halves === undefined && !this.#prices.isPriced(market)) return this.#nothingTraded(market, counterpart);
        const windows = sumsByWindow(this.step, halves ?? []);
        return { counterpart, windows: marketWindows(this.step, market, windows, this.#prices) };
      };
      const rests = halves === undefined ? [counterpart, ...this.#prices.ofMarket(market)] : undefined;
      made.set(key, this.#restsAsBefore(key, rests) ? figures : figures());
    });
    return made;
  }

  /**
   * Whether a key without legs in any window rests on the very prices that it rested on in the snapshot before: most do,
   * and their figures need not be made. `rests` is undefined for a key with legs, whose sums were read anew.
   */
  #restsAsBefore(key: string, rests: readonly unknown[] | undefined): boolean {
    const before = this.#restedOn.get(key);
    if (rests === undefined) this.#restedOn.delete(key);
    else this.#restedOn.set(key, rests);
    return (
      before !== undefined && before.length === rests?.length && before.every((one, index) => one === rests[index])
    );
  }

  /** One object for all: there are far more pools than pools with trades. */
  #nothingTraded(market: Market, counterpart: string): Figures {
    const known = this.#zeros.get(counterpart);
    if (known !== undefined) return known;
    const figures = { counterpart, windows: marketWindows(this.step, market, {}, this.#prices) };
    this.#zeros.set(counterpart, figures);
    return figures;
  }
}
