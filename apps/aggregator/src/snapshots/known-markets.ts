import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { slices } from '../inputs/slices.js';
import type { AssetFacts } from './asset-facts.js';
import type { Market } from './market.js';
import { jettonsPerStatementMax } from './price-inputs.query.js';

const marketRow = z.object({ jetton: z.string(), pool: z.string() });

const traded = (where: string) => `
  SELECT jetton, pool FROM pool_trades_per_minute_v1 FINAL
  WHERE ${where}transactions_buy + transactions_sell > 0
  GROUP BY jetton, pool
  UNION DISTINCT
  SELECT jetton, pool FROM kept_markets_v1${where === '' ? '' : ` WHERE ${where}1`}
  SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** Every pair of jetton and pool ('' for trades without one) that has a trade not retracted, however old. */
const tradedMarkets = defineQuery({ name: 'tradedMarkets', sql: traded(''), params: z.object({}), row: marketRow });

/** Those of the given jettons. */
const tradedMarketsOf = defineQuery({
  name: 'tradedMarketsOf',
  sql: traded('jetton IN {jettons: Array(String)} AND '),
  params: z.object({ jettons: z.array(z.string()).min(1) }),
  row: marketRow,
});

/** What {@link KnownMarkets} asks of the facts. */
type StatedMarkets = Pick<AssetFacts, 'marketsOf' | 'pools'>;

/**
 * The jettons known by a trade not retracted, and the markets known by one or by the newest state of their pool. A jetton
 * that only a pool's state names has markets, whose figures are zeros, and no figures of its own.
 */
export class KnownMarkets {
  readonly #traded = new Map<string, Set<string>>();
  /** By pool, as its state names them. */
  readonly #stated = new Map<string, readonly Market[]>();
  #pairs: readonly Market[] | undefined;
  #tradedPairs = 0;

  hasJetton(jetton: string): boolean {
    return this.#traded.has(jetton);
  }

  hasMarket({ jetton, pool }: Market): boolean {
    const isTraded = this.#traded.get(jetton)?.has(pool) === true;
    return isTraded || this.#stated.get(pool)?.some((market) => market.jetton === jetton) === true;
  }

  /** Pairs of jetton and pool with a trade. */
  get tradedPairs(): number {
    return this.#tradedPairs;
  }

  /** Reads all of them anew. */
  async load(reader: ClickHouseReader, facts: StatedMarkets): Promise<void> {
    const markets = await reader.query(tradedMarkets, {});
    this.#traded.clear();
    this.#tradedPairs = 0;
    this.#stated.clear();
    this.#pairs = undefined;
    for (const market of markets) this.#add(market);
    this.updateStated(facts, facts.pools());
  }

  /** To be called for pools whose state names other assets than before. */
  updateStated(facts: StatedMarkets, pools: Iterable<string>): void {
    for (const pool of pools) {
      this.#pairs = undefined;
      this.#stated.set(pool, facts.marketsOf(pool));
    }
  }

  /** A bucket with trades makes its market known; one that a retraction emptied asks the store whether others remain. */
  async update(reader: ClickHouseReader, buckets: readonly (Market & { transactions: string })[]): Promise<void> {
    const emptied = new Set<string>();
    for (const bucket of buckets) {
      if (bucket.transactions !== '0') this.#add(bucket);
      else if (this.#traded.get(bucket.jetton)?.has(bucket.pool)) emptied.add(bucket.jetton);
    }
    for (const chunk of slices([...emptied], jettonsPerStatementMax)) {
      this.#pairs = undefined;
      for (const jetton of chunk) {
        this.#tradedPairs -= this.#traded.get(jetton)?.size ?? 0;
        this.#traded.delete(jetton);
      }
      for (const market of await reader.query(tradedMarketsOf, { jettons: chunk })) this.#add(market);
    }
  }

  #add({ jetton, pool }: Market): void {
    const pools = this.#traded.get(jetton) ?? new Set<string>();
    if (pools.has(pool)) return;
    this.#traded.set(jetton, pools.add(pool));
    this.#tradedPairs += 1;
    this.#pairs = undefined;
  }

  get jettons(): readonly string[] {
    return [...this.#traded.keys()];
  }

  /** All pairs: those traded, with the pool '' for trades without one, and those that states alone name. */
  get pairs(): readonly Market[] {
    this.#pairs ??= [
      ...[...this.#traded].flatMap(([jetton, pools]) => [...pools].map((pool) => ({ jetton, pool }))),
      ...[...this.#stated.values()].flat().filter(({ jetton, pool }) => !this.#traded.get(jetton)?.has(pool)),
    ];
    return this.#pairs;
  }

  /** Markets proper: trades without a pool count for their jetton and in no market. */
  get markets(): readonly Market[] {
    return this.pairs.filter(({ pool }) => pool !== '');
  }
}
