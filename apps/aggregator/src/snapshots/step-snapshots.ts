import type { ClickHouseWriter } from '@jetton-analytics/clickhouse';
import { type Step } from '@jetton-analytics/figures';
import type { AssetFacts, FactsChange } from './asset-facts.js';
import { Concerned } from './concerned.js';
import { anchorsOf, edgesOf } from './edges.js';
import { inTurns, nextTurn, type Pause } from './in-turns.js';
import { KnownMarkets } from './known-markets.js';
import type { Market } from './market.js';
import { readPassedMarkets } from './passed-legs.query.js';
import { PriceBook, type PriceSettings } from './price-book.js';
import { readTouchedMarkets, type TouchedMarket } from './price-inputs.query.js';
import { readWindowSums, type SumsByKey } from './read-window-sums.js';
import { jettonWindows, marketWindows } from './snapshot-rows.js';
import { ChangedRows, type Figures, insertMarker, type MarkerRow, snapshotVersion } from './snapshot.sink.js';
import { usdByDay } from './usd-by-day.js';
import { sumsByWindow } from './window-sums.query.js';

/** Per partition of the trades topic the next offset whose trades are durable, as text. */
type Positions = ReadonlyMap<number, string>;

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

/**
 * Beyond so many touched buckets to begin anew is cheaper than to follow (measured: from 5,000 in a small store on), unless
 * there are more markets than that, all of which would be read.
 */
const touchedBucketsMax = 10_000;

function marketOf(key: string): Market {
  const [jetton = '', pool = ''] = key.split('|');
  return { jetton, pool };
}

const hasMarkets = (step: Step) => step !== 'short';

/** What may have moved figures since the snapshot before. */
interface Moved {
  /** The buckets that the ledger changed, with what they hold now. */
  readonly touched: readonly TouchedMarket[];
  /** Markets with a leg that an edge has passed over. */
  readonly passed: readonly Market[];
}

/** What figures are made of, and of which keys they are made. */
interface Basis {
  readonly jettonSums: SumsByKey;
  readonly marketSums: SumsByKey;
  readonly jettons: Iterable<string>;
  readonly markets: Iterable<Market>;
  /** Whether others may be known no longer. */
  readonly isAnyForgotten: boolean;
}

/**
 * The snapshots of one step in one term of leadership. The first is full; later ones calculate the sums and prices of
 * those jettons and markets alone whose ledger changed, from or to whose windows time has moved a leg, or of which other
 * facts are known, and write the rows that differ. One at a time.
 */
export class StepSnapshots {
  readonly #known = new KnownMarkets();
  readonly #jettonRows: ChangedRows;
  readonly #marketRows: ChangedRows;
  readonly #prices: PriceBook;
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
    settings: PriceSettings,
    private readonly pause: Pause = nextTurn,
  ) {
    this.#prices = new PriceBook(store, facts, settings, pause);
    this.#jettonRows = new ChangedRows(store, term, step, pause);
    this.#marketRows = new ChangedRows(store, term, step, pause);
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
      instant.calculatedAt < last.calculatedAt ||
      instant.calculatedAt - last.calculatedAt > followedSecondsMax ||
      instant.rebuilds !== last.rebuilds;
    const moved = isFar ? undefined : await this.#moved(last, instant);
    const full = moved === undefined;
    const basis = full ? await this.#anew(instant) : await this.#followed(instant, moved);
    this.#sequence += 1;
    const version = snapshotVersion(instant.calculatedAt, this.term, this.#sequence);
    assertLeading();
    const { isAnyForgotten } = basis;
    const isKnownJetton = (jetton: string) => !isAnyForgotten || this.#known.hasJetton(jetton);
    const jettonFigures = await this.#jettonFigures(basis);
    const jettonCount = await this.#jettonRows.write('jetton', jettonFigures, version, isKnownJetton);
    assertLeading();
    const isKnownMarket = (key: string) => !isAnyForgotten || this.#known.hasMarket(marketOf(key));
    const marketFigures = await this.#marketFigures(basis);
    const marketCount = await this.#marketRows.write('market', marketFigures, version, isKnownMarket);
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

  /** Everything, read anew. */
  async #anew({ calculatedAt }: Instant): Promise<Basis> {
    this.facts.advance();
    await this.#known.load(this.store, this.facts);
    const { jettons, markets, pairs } = this.#known;
    // An empty ledger, before its first backlog: its figures are ready at once, and the processor is the backlog's.
    const sums = (kind: 'jetton' | 'pool') =>
      jettons.length === 0 || (kind === 'pool' && !hasMarkets(this.step))
        ? new Map()
        : readWindowSums(this.store, this.step, kind, calculatedAt, undefined, this.pause);
    const [jettonSums, marketSums] = await Promise.all([
      sums('jetton'),
      sums('pool'),
      this.#prices.load(anchorsOf(this.step, calculatedAt), pairs, jettons),
    ]);
    return { jettonSums, marketSums, jettons, markets, isAnyForgotten: true };
  }

  /** What may differ from the snapshot before. */
  async #followed({ calculatedAt }: Instant, { touched, passed }: Moved): Promise<Basis> {
    const change = this.facts.advance();
    this.#known.updateStated(this.facts, change.pools);
    await this.#known.update(this.store, touched);
    const revalued = this.#revalued(change);
    const concerned = new Concerned();
    for (const markets of [touched, passed, revalued]) concerned.add(markets);
    const [sums, repriced] = await Promise.all([
      this.#sumsOf(concerned, calculatedAt),
      this.#prices.advance(anchorsOf(this.step, calculatedAt), touched, revalued),
    ]);
    // A price moves with a leg or a fact, so that nothing is lacking; were it otherwise, no figure would be wrong.
    const lacking = concerned.lacking(repriced);
    const others = await this.#sumsOf(lacking, calculatedAt);
    concerned.join(lacking);
    return {
      jettonSums: new Map([...sums.jettonSums, ...others.jettonSums]),
      marketSums: new Map([...sums.marketSums, ...others.marketSums]),
      jettons: [...concerned.jettons].filter((jetton) => this.#known.hasJetton(jetton)),
      markets: [...concerned.markets.values()].filter((market) => this.#known.hasMarket(market)),
      isAnyForgotten: change.pools.size > 0 || touched.some(({ transactions }) => transactions === '0'),
    };
  }

  async #sumsOf(
    { jettons, markets }: Concerned,
    calculatedAt: number,
  ): Promise<Pick<Basis, 'jettonSums' | 'marketSums'>> {
    const ofMarkets = hasMarkets(this.step) ? [...markets.values()] : [];
    const [jettonSums, marketSums] = await Promise.all([
      readWindowSums(this.store, this.step, 'jetton', calculatedAt, jettons, this.pause),
      readWindowSums(
        this.store,
        this.step,
        'pool',
        calculatedAt,
        new Set(ofMarkets.map(({ jetton }) => jetton)),
        this.pause,
      ),
    ]);
    return { jettonSums, marketSums };
  }

  /** The markets whose price, or whose jetton's, rests on a fact that changed. */
  #revalued({ assets, pools }: FactsChange): readonly Market[] {
    if (assets.size === 0 && pools.size === 0) return [];
    return this.#known.pairs.filter(
      (market) => assets.has(market.jetton) || pools.has(market.pool) || assets.has(this.#prices.counterpart(market)),
    );
  }

  /** What ledger and time have moved between two snapshots; undefined where it is too much to follow. */
  async #moved(last: Instant, next: Instant): Promise<Moved | undefined> {
    const ranges = [...next.positions].flatMap(([partition, position]) => {
      const before = last.positions.get(partition) ?? '0';
      if (before === position) return [];
      // A log that was cut begins anew.
      return [{ partition, from: BigInt(before) > BigInt(position) ? '0' : before, to: position }];
    });
    const followedMax = Math.max(touchedBucketsMax, this.#known.tradedPairs);
    const [touched, passed] = await Promise.all([
      readTouchedMarkets(this.store, ranges, followedMax + 1),
      readPassedMarkets(this.store, edgesOf(this.step, last.calculatedAt), edgesOf(this.step, next.calculatedAt)),
    ]);
    return touched.length > followedMax ? undefined : { touched, passed };
  }

  async #jettonFigures({ jettonSums, jettons }: Basis): Promise<Map<string, Figures>> {
    const made = new Map<string, Figures>();
    await inTurns(
      jettons,
      (jetton) => {
        const halves = jettonSums.get(jetton) ?? [];
        made.set(jetton, {
          windows: jettonWindows(this.step, jetton, sumsByWindow(this.step, halves), this.#prices),
          usdByDay: usdByDay(this.step, halves),
          ...(this.step === 'short' && { changedAt: this.#prices.jettonPrice(0, jetton).changedAt }),
        });
      },
      this.pause,
    );
    return made;
  }

  async #marketFigures({ marketSums, markets }: Basis): Promise<Map<string, Figures>> {
    const made = new Map<string, Figures>();
    await inTurns(
      markets,
      (market) => {
        const key = `${market.jetton}|${market.pool}`;
        const counterpart = this.#prices.counterpart(market);
        const halves = marketSums.get(key);
        if (halves === undefined && !this.#prices.isPriced(market)) {
          made.set(key, this.#nothingTraded(market, counterpart));
          return;
        }
        const windows = sumsByWindow(this.step, halves ?? []);
        made.set(key, { counterpart, windows: marketWindows(this.step, market, windows, this.#prices) });
      },
      this.pause,
    );
    return made;
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
