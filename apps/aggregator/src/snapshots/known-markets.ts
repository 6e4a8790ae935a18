import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

const Market = z.object({ jetton: z.string(), pool: z.string() });
export type Market = z.infer<typeof Market>;

/** Every pair of jetton and pool ('' for trades without one) that has a trade not retracted. */
const tradedMarkets = defineQuery({
  name: 'tradedMarkets',
  sql: `SELECT jetton, pool FROM pool_trades_per_minute_v1 FINAL
        WHERE transactions_buy + transactions_sell > 0
        GROUP BY jetton, pool
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({}),
  row: Market,
});

/** Those of the given jettons. */
const tradedMarketsOf = defineQuery({
  name: 'tradedMarketsOf',
  sql: `SELECT jetton, pool FROM pool_trades_per_minute_v1 FINAL
        WHERE jetton IN {jettons: Array(String)} AND transactions_buy + transactions_sell > 0
        GROUP BY jetton, pool
        SETTINGS do_not_merge_across_partitions_select_final = 1`,
  params: z.object({ jettons: z.array(z.string()).min(1) }),
  row: Market,
});

/** The jettons and markets known by a trade not retracted. */
export class KnownMarkets {
  readonly #pools = new Map<string, Set<string>>();

  /** Reads all of them anew. */
  async load(reader: ClickHouseReader): Promise<void> {
    const markets = await reader.query(tradedMarkets, {});
    this.#pools.clear();
    for (const market of markets) this.#add(market);
  }

  /** A bucket with trades makes its market known; one that a retraction emptied asks the store whether others remain. */
  async update(reader: ClickHouseReader, buckets: readonly (Market & { transactions: string })[]): Promise<void> {
    const emptied = new Set<string>();
    for (const bucket of buckets) {
      if (bucket.transactions !== '0') this.#add(bucket);
      else if (this.#pools.get(bucket.jetton)?.has(bucket.pool)) emptied.add(bucket.jetton);
    }
    for (const chunk of chunksOf([...emptied], jettonsPerStatementMax)) {
      for (const jetton of chunk) this.#pools.delete(jetton);
      for (const market of await reader.query(tradedMarketsOf, { jettons: chunk })) this.#add(market);
    }
  }

  #add({ jetton, pool }: Market): void {
    const pools = this.#pools.get(jetton);
    if (pools === undefined) this.#pools.set(jetton, new Set([pool]));
    else pools.add(pool);
  }

  get jettons(): readonly string[] {
    return [...this.#pools.keys()];
  }

  /** All pairs, with the pool '' for trades without one. */
  get pairs(): Market[] {
    return [...this.#pools].flatMap(([jetton, pools]) => [...pools].map((pool) => ({ jetton, pool })));
  }

  /** Markets proper: trades without a pool count for their jetton and in no market. */
  get markets(): readonly Market[] {
    return this.pairs.filter(({ pool }) => pool !== '');
  }
}

/** A statement binds at most so many addresses, to stay below a server's limit for one parameter (128 KiB). */
export const jettonsPerStatementMax = 1_000;

export function chunksOf<T>(list: readonly T[], sizeMax: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < list.length; start += sizeMax) chunks.push(list.slice(start, start + sizeMax));
  return chunks;
}
