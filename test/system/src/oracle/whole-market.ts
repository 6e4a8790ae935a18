import { assetOf, type Assets, decimalsOf, defaultAssets } from './assets.js';
import { metadataOf, type Metadata } from './metadata.js';
import { emittedPrice, type PoolWorth, poolWorths, type Prices } from './metrics.js';
import type { FeedRecord } from './parse-message.js';
import { priceAt } from './price.js';
import type { RatesTable } from './rates.js';
import { Recomputation } from './recompute.js';
import {
  balanceMessage,
  type BalanceMessage,
  byKey,
  metadataMessage,
  newestOf,
  poolMessage,
  type PoolMessage,
} from './state-messages.js';
import type { MarketState } from './statistics.js';

/** What was produced to each of the four topics. */
export interface Produced<Kept extends FeedRecord = FeedRecord> {
  readonly trades: readonly Kept[];
  readonly pools: readonly FeedRecord[];
  readonly metadata: readonly FeedRecord[];
  readonly balances: readonly FeedRecord[];
}

/** What people told the service, and how it was set up. */
export interface Curation {
  readonly rates: RatesTable;
  /** By raw address. */
  readonly verdicts: ReadonlyMap<string, string>;
  /** Base64. */
  readonly standardCode: string;
  /** Raw; the zero address of each workchain is one too. */
  readonly burnAddresses: ReadonlySet<string>;
  readonly publicUrl: string;
}

export interface Holders {
  readonly holders: bigint;
  readonly sum: bigint;
  readonly burned: bigint;
  readonly topTen: bigint;
  /** Unix seconds of the newest balance; undefined where none is known. */
  readonly newest: number | undefined;
}

const zeroAccount = /:0{64}$/;
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Everything that the four topics say together, at one instant T at which every window is calculated. */
export class WholeMarket<Kept extends FeedRecord = FeedRecord> {
  readonly trades: Recomputation<Kept>;
  readonly assets: Assets;
  readonly metadata = new Map<string, Metadata>();
  readonly pools = new Map<string, PoolMessage>();
  readonly #balances = new Map<string, BalanceMessage[]>();
  readonly #prices = new Map<string, Prices>();
  readonly worth: (pool: PoolMessage) => PoolWorth;

  constructor(
    produced: Produced<Kept>,
    readonly curation: Curation,
    readonly t: number,
  ) {
    for (const [address, messages] of byKey(produced.metadata.map(metadataMessage))) {
      const metadata = metadataOf(messages);
      if (metadata !== undefined && !defaultAssets.native.has(address)) this.metadata.set(address, metadata);
    }
    const decimals = [...this.metadata].flatMap(([address, { decimals: known }]) =>
      known === undefined ? [] : [[address, known] as const],
    );
    this.assets = { ...defaultAssets, metadataDecimals: new Map(decimals) };
    this.trades = new Recomputation(produced.trades, this.assets);
    for (const [pool, messages] of byKey(produced.pools.map(poolMessage))) {
      const newest = newestOf(messages);
      if (newest !== undefined) this.pools.set(pool, newest);
    }
    for (const messages of byKey(produced.balances.map(balanceMessage)).values()) {
      const newest = newestOf(messages);
      if (newest === undefined) continue;
      this.#balances.set(newest.asset, [...(this.#balances.get(newest.asset) ?? []), newest]);
    }
    this.worth = poolWorths((asset) => this.pricesOf(asset), this.assets);
  }

  /** Every jetton that the lists hold, by address. */
  get jettons(): string[] {
    return [...new Set([...this.trades.jettons, ...this.metadata.keys()])].sort();
  }

  isKnown(jetton: string): boolean {
    return this.metadata.has(jetton) || this.trades.legsOf(jetton).length > 0;
  }

  decimalsOf(asset: string): number {
    return decimalsOf(asset, this.assets);
  }

  pricesOf(jetton: string): Prices {
    let prices = this.#prices.get(jetton);
    if (prices === undefined) {
      const price = (currency: 'ton' | 'usd', natural: number) =>
        emittedPrice(priceAt(this.t, jetton, this.trades.legsOf(jetton), currency, this.assets), natural);
      prices = { ton: price('ton', 9), usd: price('usd', 6) };
      this.#prices.set(jetton, prices);
    }
    return prices;
  }

  /** Pools that were seen in a trade with the jetton, or whose state names it. */
  marketsOf(jetton: string): string[] {
    const named = [...this.pools].filter(([, state]) => this.#sidesOf(state).includes(jetton)).map(([pool]) => pool);
    return [...new Set([...this.trades.poolsOf(jetton), ...named])].sort();
  }

  marketState(jetton: string, pool: string): MarketState {
    const state = this.pools.get(pool);
    const sides = state === undefined ? [] : this.#sidesOf(state);
    const isNamed = sides.includes(jetton);
    const counterpart = isNamed ? (sides.find((side) => side !== jetton) ?? undefined) : undefined;
    return { isNamed, counterpart };
  }

  holdersOf(jetton: string): Holders {
    const { burnAddresses } = this.curation;
    const balances = this.#balances.get(jetton) ?? [];
    const isBurn = ({ owner }: BalanceMessage) => zeroAccount.test(owner) || burnAddresses.has(owner);
    const kept = balances.filter((balance) => !isBurn(balance) && balance.amount > 0n).map(({ amount }) => amount);
    const greatest = kept.toSorted((a, b) => (a > b ? -1 : 1)).slice(0, 10);
    return {
      holders: BigInt(kept.length),
      sum: sumOf(balances.map(({ amount }) => amount)),
      burned: sumOf(balances.filter(isBurn).map(({ amount }) => amount)),
      topTen: sumOf(greatest),
      newest: balances.length === 0 ? undefined : Math.max(...balances.map(({ timestamp }) => timestamp)),
    };
  }

  #sidesOf({ left, right }: PoolMessage): (string | null)[] {
    return [left, right]
      .map((side) => (side === null ? null : assetOf(side, this.assets)))
      .filter((side) => side !== null);
  }
}
