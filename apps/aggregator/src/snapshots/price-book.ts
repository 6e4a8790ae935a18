import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { AmountText } from '@jetton-analytics/figures';
import type { AssetFacts } from './asset-facts.js';
import { minuteOf } from './edges.js';
import { inTurns } from './in-turns.js';
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

/** Prices at one instant that moves with C. */
class Anchor {
  readonly inputs = new Map<string, JettonInputs>();
  readonly jettons = new Map<string, JettonPrice>();
  readonly markets = new Map<string, AmountText>();

  constructor(public at: number) {}

  inputsOf(jetton: string): JettonInputs {
    const inputs = this.inputs.get(jetton) ?? new JettonInputs();
    this.inputs.set(jetton, inputs);
    return inputs;
  }
}

const keyOf = ({ jetton, pool }: Market) => `${jetton}|${pool}`;

/**
 * The prices of all jettons and markets at the anchors of one step (C first, then C − w). A price is a step function of
 * the legs before its anchor: after `load`, only the buckets that an anchor passed over or that the ledger changed are
 * read, and only their jettons' prices are calculated again.
 */
export class PriceBook {
  #anchors: Anchor[] = [];
  readonly #counterparts = new Map<string, string>();

  constructor(
    private readonly reader: ClickHouseReader,
    private readonly facts: AssetFacts,
    private readonly settings: PriceSettings,
  ) {}

  jettonPrice(anchorIndex: number, jetton: string): JettonPrice {
    return this.#anchors[anchorIndex]?.jettons.get(jetton) ?? noJettonPrice;
  }

  marketPrice(anchorIndex: number, market: Market): AmountText {
    return this.#anchors[anchorIndex]?.markets.get(keyOf(market)) ?? noCounterpartPrice;
  }

  /** The jetton's prices at all anchors; the same objects until one is calculated again. */
  ofJetton(jetton: string): JettonPrice[] {
    return this.#anchors.map(({ jettons }) => jettons.get(jetton) ?? noJettonPrice);
  }

  /** The market's prices at all anchors, as {@link ofJetton}. */
  ofMarket(market: Market): AmountText[] {
    const key = keyOf(market);
    return this.#anchors.map(({ markets }) => markets.get(key) ?? noCounterpartPrice);
  }

  /** Whether the market has legs at any anchor that its price could rest on. */
  isPriced(market: Market): boolean {
    const key = keyOf(market);
    return this.#anchors.some((anchor) => anchor.markets.has(key));
  }

  /** The other asset of the market, '' where neither a state nor a counting leg names one. */
  counterpart(market: Market): string {
    return this.#counterparts.get(keyOf(market)) ?? '';
  }

  /**
   * Calculates everything for these markets from nothing. `anchors` are Unix seconds, C first; `jettons` those with
   * trades: without any there is nothing to read.
   */
  async load(anchors: readonly number[], markets: readonly Market[], jettons: readonly string[]): Promise<void> {
    this.#anchors = anchors.map((at) => new Anchor(at));
    this.#counterparts.clear();
    const ranges = anchors.map((at) => ({ fromMinute: minuteOf(at), at }));
    const partials = jettons.length === 0 ? [] : await this.#inputsUpTo(ranges);
    await this.#readAnew(this.#anchors, jettons);
    for (const [index, anchor] of this.#anchors.entries()) {
      for (const row of partials[index] ?? []) anchor.inputsOf(row.jetton).apply(row);
      await this.#price(index, markets);
    }
  }

  /**
   * Moves the anchors and takes over what changed since: `touched` are the buckets that the ledger changed, whatever
   * their minute, with what they hold now; `revalued` the markets of which other facts are known.
   */
  async advance(
    anchors: readonly number[],
    touched: readonly PriceInput[],
    revalued: readonly Market[],
  ): Promise<void> {
    const moves: { anchor: Anchor; passed: PriceInput[]; rows: PriceInput[] }[] = [];
    const torn = new Set<string>();
    const anchorAt = (index: number) => {
      const anchor = this.#anchors[index];
      if (anchor === undefined) throw new RangeError('load comes before advance');
      return anchor;
    };
    const inputs = await this.#inputsUpTo(
      anchors.map((at, index) => ({ fromMinute: minuteOf(anchorAt(index).at), at })),
    );
    for (const [index, at] of anchors.entries()) {
      const anchor = anchorAt(index);
      const from = minuteOf(anchor.at);
      const passed = inputs[index] ?? [];
      const rows = [...touched.filter((row) => row.minute_s < from), ...passed];
      anchor.at = at;
      for (const row of rows) if (!anchor.inputsOf(row.jetton).apply(row)) torn.add(row.jetton);
      moves.push({ anchor, passed, rows });
    }
    await this.#readAnew(this.#anchors, [...torn]);
    const otherAsset: Market[] = [];
    for (const [index, { anchor, passed, rows }] of moves.entries()) {
      for (const row of passed) if (torn.has(row.jetton)) anchor.inputsOf(row.jetton).apply(row);
      const tornMarkets = [...torn].map((jetton) => ({ jetton, pool: '' }));
      // A market whose counterpart changed at C is priced against the new one at every anchor.
      otherAsset.push(...(await this.#price(index, [...rows, ...tornMarkets, ...revalued, ...otherAsset])));
    }
  }

  #inputsUpTo(anchors: readonly AnchorRange[]): Promise<PriceInput[][]> {
    return readPriceInputs(this.reader, anchors, this.settings);
  }

  /** Replaces the jettons' inputs at the anchors by what whole minutes say, in one scan for all anchors. */
  async #readAnew(anchors: readonly Anchor[], jettons: readonly string[]): Promise<void> {
    const anchorMinutes = anchors.map(({ at }) => minuteOf(at));
    const asked = new Set(jettons);
    for (const anchor of anchors) for (const jetton of asked) anchor.inputs.set(jetton, new JettonInputs());
    for await (const last of readLastInputs(this.reader, jettons, anchorMinutes)) {
      const points = last.points.filter(({ jetton }) => asked.has(jetton));
      const counterparts = last.counterparts.filter(({ jetton }) => asked.has(jetton));
      // Kept points first: a row that is still there says more.
      const rows = points
        .toSorted((a, b) => b.is_kept - a.is_kept)
        .map((row) => ({ jetton: row.jetton, minute: row.minute_s, points: pointsOf(row) }));
      for (const anchor of anchors) {
        const anchorMinute = minuteOf(anchor.at);
        await inTurns(rows, ({ jetton, minute, points: of }) => {
          if (minute < anchorMinute) anchor.inputsOf(jetton).applyPoints(of);
        });
      }
      await inTurns(counterparts, ({ jetton, pool, asset, newest }) => {
        let before: CountingMinute | undefined;
        for (const [index, anchor] of anchors.entries()) {
          const minute = newest[index];
          if (minute === undefined || minute.minute_s === 0) continue;
          const newestLeg = `${minute.last_event_time}|${minute.last_event_id}`;
          // Of most markets the newest minute is the same at all anchors.
          if (before?.minute !== minute.minute_s || before.newestLeg !== newestLeg) {
            const [counterAmount, amount] = [BigInt(minute.counter_amount), BigInt(minute.amount)];
            before = { asset, minute: minute.minute_s, counterAmount, amount, newestLeg };
          }
          anchor.inputsOf(jetton).applyCounting(pool, before);
        }
      });
    }
  }

  /** Calculates the prices of the markets and of their jettons; returns the markets whose counterpart changed. */
  async #price(index: number, markets: readonly Market[]): Promise<Market[]> {
    const anchor = this.#anchors[index];
    if (anchor === undefined) return [];
    const changed: Market[] = [];
    await inTurns(new Set(markets.map((market) => market.jetton)), (jetton) => {
      const inputs = anchor.inputs.get(jetton);
      if (inputs !== undefined) anchor.jettons.set(jetton, inputs.price(this.facts.decimalsOf(jetton)));
    });
    await inTurns(new Map(markets.map((one) => [keyOf(one), one])).values(), (market) => {
      if (market.pool === '') return;
      const key = keyOf(market);
      const counting = anchor.inputs.get(market.jetton)?.counting(market.pool) ?? [];
      if (index === 0) {
        const asset = this.facts.counterpartOf(market.jetton, market.pool) ?? counterAssetOf(counting);
        if (asset !== this.#counterparts.get(key)) {
          changed.push({ jetton: market.jetton, pool: market.pool });
          if (asset === undefined) this.#counterparts.delete(key);
          else this.#counterparts.set(key, asset);
        }
      }
      const asset = this.#counterparts.get(key);
      if (asset === undefined || counting.length === 0) {
        anchor.markets.delete(key);
        return;
      }
      const decimals = this.facts.decimalsOf(market.jetton);
      anchor.markets.set(
        key,
        counterpartPriceOf(counting, asset, (unified) => this.facts.decimalsOf(unified), decimals),
      );
    });
    return changed;
  }
}
