import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { AmountText } from '@jetton-analytics/figures';
import type { AssetFacts } from './asset-facts.js';
import { Concerned } from './concerned.js';
import { minuteOf } from './edges.js';
import { inTurns, nextTurn, type Pause } from './in-turns.js';
import { JettonInputs, pointsOf } from './jetton-inputs.js';
import type { Market } from './market.js';
import { type AnchorRange, type PriceInput, readLastInputs, readPriceInputs } from './price-inputs.query.js';
import {
  counterAssetOf,
  type CountingMinute,
  counterpartPriceOf,
  type JettonPrice,
  noCounterpartPrice,
  noJettonPrice,
} from './prices.js';

export interface PriceSettings {
  readonly quoteAssets: readonly string[];
  readonly priceMinTradeUsd: string;
}

/** Of a jetton, per anchor in order. */
interface PricedJetton {
  readonly inputs: JettonInputs[];
  readonly prices: JettonPrice[];
}

/** Of a market. */
interface PricedMarket {
  /** The other asset; undefined where neither a state nor a counting leg names one. */
  counterpart: string | undefined;
  /** Per anchor in order; undefined: it has no legs before it that its price could rest on. */
  readonly prices: (AmountText | undefined)[];
}

const isSameAmount = (one: AmountText, other: AmountText) =>
  one.value === other.value && one.decimals === other.decimals;
const isSameOrNone = (one: AmountText | undefined, other: AmountText | undefined) =>
  one === undefined || other === undefined ? one === other : isSameAmount(one, other);
const isSameJettonPrice = (one: JettonPrice, other: JettonPrice) =>
  isSameAmount(one.ton, other.ton) &&
  isSameAmount(one.usd, other.usd) &&
  one.changedAt.ton === other.changedAt.ton &&
  one.changedAt.usd === other.changedAt.usd;
const keyOf = ({ jetton, pool }: Market) => `${jetton}|${pool}`;

/**
 * The prices of all jettons and markets at the anchors of one step (C first, then C − w). A price is a step function of
 * the legs before its anchor: after `load`, only the buckets that an anchor passed over or that the ledger changed are
 * read, and only their jettons' prices are calculated again.
 */
export class PriceBook {
  /** Unix seconds, C first. */
  #anchors: readonly number[] = [];
  readonly #jettons = new Map<string, PricedJetton>();
  /** By `jetton|pool`. */
  readonly #markets = new Map<string, PricedMarket>();

  constructor(
    private readonly reader: ClickHouseReader,
    private readonly facts: AssetFacts,
    private readonly settings: PriceSettings,
    private readonly pause: Pause = nextTurn,
  ) {}

  jettonPrice(anchorIndex: number, jetton: string): JettonPrice {
    return this.#jettons.get(jetton)?.prices[anchorIndex] ?? noJettonPrice;
  }

  marketPrice(anchorIndex: number, market: Market): AmountText {
    return this.#markets.get(keyOf(market))?.prices[anchorIndex] ?? noCounterpartPrice;
  }

  /** Whether the market has legs at any anchor that its price could rest on. */
  isPriced(market: Market): boolean {
    return this.#markets.get(keyOf(market))?.prices.some((price) => price !== undefined) ?? false;
  }

  /** The other asset of the market, '' where neither a state nor a counting leg names one. */
  counterpart(market: Market): string {
    return this.#markets.get(keyOf(market))?.counterpart ?? '';
  }

  /**
   * Calculates everything for these markets from nothing. `anchors` are Unix seconds, C first; `jettons` those with
   * trades: without any there is nothing to read.
   */
  async load(anchors: readonly number[], markets: readonly Market[], jettons: readonly string[]): Promise<void> {
    this.#anchors = anchors;
    this.#jettons.clear();
    this.#markets.clear();
    const ranges = anchors.map((at) => ({ fromMinute: minuteOf(at), at }));
    const partials = jettons.length === 0 ? [] : await this.#inputsUpTo(ranges);
    await this.#readAnew(jettons);
    for (const index of anchors.keys()) {
      for (const row of partials[index] ?? []) this.#inputsOf(index, row.jetton).apply(row);
      await this.#price(index, markets);
    }
  }

  /**
   * Moves the anchors and takes over what changed since: `touched` are the buckets that the ledger changed, whatever
   * their minute, with what they hold now; `revalued` the markets of which other facts are known. Gives the jettons and
   * markets with another price at any anchor, or another counterpart.
   */
  async advance(
    anchors: readonly number[],
    touched: readonly PriceInput[],
    revalued: readonly Market[],
  ): Promise<Concerned> {
    const repriced = new Concerned();
    const before = this.#anchors;
    if (before.length !== anchors.length) throw new RangeError('load comes before advance');
    const moves: { passed: PriceInput[]; rows: PriceInput[] }[] = [];
    const torn = new Set<string>();
    const inputs = await this.#inputsUpTo(
      anchors.map((at, index) => ({ fromMinute: minuteOf(before[index] ?? at), at })),
    );
    for (const [index, at] of anchors.entries()) {
      const from = minuteOf(before[index] ?? at);
      const passed = inputs[index] ?? [];
      const rows = [...touched.filter((row) => row.minute_s < from), ...passed];
      for (const row of rows) if (!this.#inputsOf(index, row.jetton).apply(row)) torn.add(row.jetton);
      moves.push({ passed, rows });
    }
    this.#anchors = anchors;
    await this.#readAnew([...torn]);
    const otherAsset: Market[] = [];
    for (const [index, { passed, rows }] of moves.entries()) {
      for (const row of passed) if (torn.has(row.jetton)) this.#inputsOf(index, row.jetton).apply(row);
      const tornMarkets = [...torn].map((jetton) => ({ jetton, pool: '' }));
      // A market whose counterpart changed at C is priced against the new one at every anchor.
      const markets = [...rows, ...tornMarkets, ...revalued, ...otherAsset];
      otherAsset.push(...(await this.#price(index, markets, repriced)));
    }
    return repriced;
  }

  #inputsUpTo(anchors: readonly AnchorRange[]): Promise<PriceInput[][]> {
    return readPriceInputs(this.reader, anchors, this.settings);
  }

  #jetton(jetton: string): PricedJetton {
    const known = this.#jettons.get(jetton);
    if (known !== undefined) return known;
    const priced = {
      inputs: this.#anchors.map(() => new JettonInputs()),
      prices: this.#anchors.map(() => noJettonPrice),
    };
    this.#jettons.set(jetton, priced);
    return priced;
  }

  #inputsOf(anchorIndex: number, jetton: string): JettonInputs {
    const { inputs } = this.#jetton(jetton);
    return (inputs[anchorIndex] ??= new JettonInputs());
  }

  /** Replaces the jettons' inputs at all anchors by what whole minutes say, in one scan. */
  async #readAnew(jettons: readonly string[]): Promise<void> {
    const anchorMinutes = this.#anchors.map(minuteOf);
    const asked = new Set(jettons);
    for (const jetton of asked) {
      const { inputs } = this.#jetton(jetton);
      for (const index of anchorMinutes.keys()) inputs[index] = new JettonInputs();
    }
    for await (const last of readLastInputs(this.reader, jettons, anchorMinutes)) {
      const points = last.points.filter(({ jetton }) => asked.has(jetton));
      const counterparts = last.counterparts.filter(({ jetton }) => asked.has(jetton));
      // Kept points first: a row that is still there says more.
      const rows = points
        .toSorted((a, b) => b.is_kept - a.is_kept)
        .map((row) => ({ jetton: row.jetton, minute: row.minute_s, points: pointsOf(row) }));
      for (const [index, anchorMinute] of anchorMinutes.entries()) {
        await inTurns(
          rows,
          ({ jetton, minute, points: of }) => {
            if (minute < anchorMinute) this.#inputsOf(index, jetton).applyPoints(of);
          },
          this.pause,
        );
      }
      await inTurns(
        counterparts,
        ({ jetton, pool, asset, newest }) => {
          let before: CountingMinute | undefined;
          for (const index of anchorMinutes.keys()) {
            const minute = newest[index];
            if (minute === undefined || minute.minute_s === 0) continue;
            const newestLeg = `${minute.last_event_time}|${minute.last_event_id}`;
            // Of most markets the newest minute is the same at all anchors.
            if (before?.minute !== minute.minute_s || before.newestLeg !== newestLeg) {
              const [counterAmount, amount] = [BigInt(minute.counter_amount), BigInt(minute.amount)];
              before = { pool, asset, minute: minute.minute_s, counterAmount, amount, newestLeg };
            }
            this.#inputsOf(index, jetton).applyCounting(before);
          }
        },
        this.pause,
      );
    }
  }

  /**
   * Calculates the prices of the markets and of their jettons, and tells `repriced` which are others now; returns the
   * markets whose counterpart changed.
   */
  async #price(index: number, markets: readonly Market[], repriced?: Concerned): Promise<Market[]> {
    const changed: Market[] = [];
    await inTurns(
      new Set(markets.map((market) => market.jetton)),
      (jetton) => {
        const known = this.#jettons.get(jetton);
        if (known === undefined) return;
        const { inputs, prices } = known;
        const price = inputs[index]?.price(this.facts.decimalsOf(jetton)) ?? noJettonPrice;
        const before = prices[index] ?? noJettonPrice;
        const nearer = prices[index - 1];
        // Of most jettons the price is the same at all anchors: one object for them.
        prices[index] = nearer !== undefined && isSameJettonPrice(price, nearer) ? nearer : price;
        if (!isSameJettonPrice(price, before)) repriced?.jettons.add(jetton);
      },
      this.pause,
    );
    await inTurns(
      new Map(markets.map((one) => [keyOf(one), one])),
      ([key, market]) => {
        if (market.pool === '') return;
        const { jetton, pool } = market;
        const counting = this.#jettons.get(jetton)?.inputs[index]?.counting(pool) ?? [];
        const known = this.#markets.get(key) ?? { counterpart: undefined, prices: this.#anchors.map(() => undefined) };
        this.#markets.set(key, known);
        if (index === 0) {
          const asset = this.facts.counterpartOf(jetton, pool) ?? counterAssetOf(counting);
          if (asset !== known.counterpart) {
            changed.push({ jetton, pool });
            repriced?.add([market]);
            known.counterpart = asset;
          }
        }
        const price = this.#marketPriceOf(jetton, known.counterpart, counting);
        const before = known.prices[index];
        const nearer = known.prices[index - 1];
        known.prices[index] = isSameOrNone(price, nearer) ? nearer : price;
        if (!isSameOrNone(price, before)) repriced?.add([market]);
      },
      this.pause,
    );
    return changed;
  }

  #marketPriceOf(
    jetton: string,
    counterpart: string | undefined,
    counting: readonly CountingMinute[],
  ): AmountText | undefined {
    if (counterpart === undefined || counting.length === 0) return undefined;
    const decimalsOf = (asset: string) => this.facts.decimalsOf(asset);
    return counterpartPriceOf(counting, counterpart, decimalsOf, decimalsOf(jetton));
  }
}
