import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import type { AmountText } from '@jetton-analytics/figures';
import type { AssetFacts } from './asset-facts.js';
import { minuteOf } from './edges.js';
import { chunksOf, jettonsPerStatementMax, type Market } from './known-markets.js';
import { lastCounterparts, lastPriceInputs, type PriceInput, recentPriceInputs } from './price-inputs.query.js';
import {
  counterAssetOf,
  counterpartPriceOf,
  countingMinutes,
  type CountingMinute,
  coversPrice,
  type JettonPrice,
  jettonPriceOf,
  noCounterpartPrice,
  noJettonPrice,
} from './prices.js';

/** How far before an anchor prices are looked for first: twice a price's own window. */
const recentSeconds = 7_200;

export interface PriceSettings {
  readonly quoteAssets: readonly string[];
  readonly priceMinTradeUsd: string;
}

/** The markets whose price at an anchor may have changed. */
export interface AnchorChange {
  /** Unix seconds; prices use the legs before it. */
  readonly anchor: number;
  readonly markets: readonly Market[];
}

const keyOf = ({ jetton, pool }: Market) => `${jetton}|${pool}`;

/**
 * The prices of all jettons and markets at the anchors of one step (C first, then C − w). Prices are step functions, so
 * only those of markets with a leg that was touched, or that an anchor passed, are calculated again.
 */
export class PriceBook {
  readonly #jettons: Map<string, JettonPrice>[] = [];
  readonly #markets: Map<string, AmountText>[] = [];
  readonly #counterparts = new Map<string, string>();

  constructor(
    private readonly reader: ClickHouseReader,
    private readonly facts: AssetFacts,
    private readonly settings: PriceSettings,
  ) {}

  jettonPrice(anchorIndex: number, jetton: string): JettonPrice {
    return this.#jettons[anchorIndex]?.get(jetton) ?? noJettonPrice;
  }

  marketPrice(anchorIndex: number, market: Market): AmountText {
    return this.#markets[anchorIndex]?.get(keyOf(market)) ?? noCounterpartPrice;
  }

  /** The other asset of the market, '' where no counting leg names one. */
  counterpart(market: Market): string {
    return this.#counterparts.get(keyOf(market)) ?? '';
  }

  /** Brings the prices at every anchor up to date; `changes` are in the order of the anchors, C first. */
  async update(changes: readonly AnchorChange[]): Promise<void> {
    const otherAsset: Market[] = [];
    for (const [index, { anchor, markets }] of changes.entries()) {
      // A market whose counterpart changed at C is priced against the new one at every anchor.
      const affected = index === 0 ? markets : [...markets, ...otherAsset];
      const byJetton = Map.groupBy(affected, (market) => market.jetton);
      for (const jettons of chunksOf([...byJetton.keys()], jettonsPerStatementMax)) {
        otherAsset.push(...(await this.#updateJettons(index, anchor, jettons, byJetton)));
      }
    }
  }

  /** Returns the markets whose counterpart changed. */
  async #updateJettons(
    index: number,
    anchor: number,
    jettons: string[],
    markets: ReadonlyMap<string, readonly Market[]>,
  ): Promise<Market[]> {
    const anchorMinute = minuteOf(anchor);
    const from = anchorMinute - recentSeconds;
    const recent = await this.reader.query(recentPriceInputs, {
      jettons,
      anchorMinute,
      anchor,
      from,
      quoteAssets: [...this.settings.quoteAssets],
      priceMinTradeUsd: this.settings.priceMinTradeUsd,
    });
    const inputs = Map.groupBy(recent, (row) => row.jetton);
    await this.#addOlderInputs(inputs, jettons, anchorMinute, from);
    const prices = (this.#jettons[index] ??= new Map());
    for (const jetton of jettons) {
      prices.set(jetton, jettonPriceOf(inputs.get(jetton) ?? [], this.facts.decimalsOf(jetton)));
    }
    return this.#updateMarkets(
      index,
      anchorMinute,
      inputs,
      jettons.flatMap((jetton) => markets.get(jetton) ?? []),
    );
  }

  async #addOlderInputs(
    inputs: Map<string, PriceInput[]>,
    jettons: readonly string[],
    anchorMinute: number,
    from: number,
  ): Promise<void> {
    const silent = jettons.filter((jetton) => !coversPrice(inputs.get(jetton) ?? [], from));
    if (silent.length === 0) return;
    for (const row of await this.reader.query(lastPriceInputs, { jettons: [...silent], anchorMinute })) {
      if (row.minute_s >= from) continue; // read already
      const rows = inputs.get(row.jetton);
      if (rows === undefined) inputs.set(row.jetton, [row]);
      else rows.push(row);
    }
  }

  async #updateMarkets(
    index: number,
    anchorMinute: number,
    inputs: ReadonlyMap<string, readonly PriceInput[]>,
    markets: readonly Market[],
  ): Promise<Market[]> {
    const prices = (this.#markets[index] ??= new Map());
    const minutes = new Map<string, CountingMinute[]>();
    for (const rows of inputs.values()) {
      for (const [pool, poolRows] of Map.groupBy(rows, (row) => row.pool)) {
        const [{ jetton } = { jetton: '' }] = poolRows;
        minutes.set(keyOf({ jetton, pool }), countingMinutes(poolRows));
      }
    }
    const proper = markets.filter(({ pool }) => pool !== '');
    await this.#addOlderCounterparts(minutes, index, anchorMinute, proper);
    const changed: Market[] = [];
    for (const market of proper) {
      const key = keyOf(market);
      const counting = minutes.get(key) ?? [];
      if (index === 0 && this.#setCounterpart(market, counting)) changed.push(market);
      const asset = this.#counterparts.get(key);
      const decimals = this.facts.decimalsOf(market.jetton);
      prices.set(
        key,
        asset === undefined
          ? noCounterpartPrice
          : counterpartPriceOf(counting, asset, (unified) => this.facts.decimalsOf(unified), decimals),
      );
    }
    return changed;
  }

  async #addOlderCounterparts(
    minutes: Map<string, CountingMinute[]>,
    index: number,
    anchorMinute: number,
    markets: readonly Market[],
  ): Promise<void> {
    const silent = new Set<string>();
    for (const market of markets) {
      const counting = minutes.get(keyOf(market)) ?? [];
      const asset = index === 0 ? undefined : this.#counterparts.get(keyOf(market));
      const found = asset === undefined ? counting.length > 0 : counting.some((minute) => minute.asset === asset);
      if (!found) silent.add(market.jetton);
    }
    if (silent.size === 0) return;
    for (const row of await this.reader.query(lastCounterparts, { jettons: [...silent], anchorMinute })) {
      const key = keyOf(row);
      const counting = minutes.get(key) ?? [];
      // A minute read already is not counted twice.
      if (counting.some((minute) => minute.minute === row.minute_s && minute.asset === row.asset)) continue;
      counting.push({
        asset: row.asset,
        minute: row.minute_s,
        counterAmount: BigInt(row.newest.counter_amount),
        amount: BigInt(row.newest.amount),
        newestLeg: `${row.newest.last_event_time}|${row.newest.last_event_id}`,
      });
      minutes.set(key, counting);
    }
  }

  #setCounterpart(market: Market, counting: readonly CountingMinute[]): boolean {
    const key = keyOf(market);
    const asset = this.facts.counterpartOf(market.jetton, market.pool) ?? counterAssetOf(counting);
    if (asset === this.#counterparts.get(key)) return false;
    if (asset === undefined) this.#counterparts.delete(key);
    else this.#counterparts.set(key, asset);
    return true;
  }
}
