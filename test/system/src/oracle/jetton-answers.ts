import type { Amount } from './change.js';
import { friendly } from './friendly.js';
import type { Metadata } from './metadata.js';
import { capOf, converted, convertedPrice, total } from './metrics.js';
import { pricedMinute } from './price.js';
import { dayOf } from './rates.js';
import { trustScoreOf, type TrustPart } from './trust-score.js';
import type { WholeMarket } from './whole-market.js';
import { sameInstant, timestampOf } from './windows.js';

/** The figures of one jetton that several operations show. */
export interface Figures {
  readonly price: Amount | undefined;
  readonly priceUsd: Amount | undefined;
  readonly liquidityUsd: Amount | undefined;
  readonly tvl: Amount | undefined;
  readonly totalSupply: bigint;
  readonly circulatingSupply: bigint;
  /** Whether caps may rest on the supply. */
  readonly isComplete: boolean;
  readonly fdmc: Amount | undefined;
  readonly mcap: Amount | undefined;
  readonly holdersCount: bigint;
  readonly createdAt: number;
  readonly verification: string;
  readonly trustScore: number;
  readonly trustParts: readonly TrustPart[];
}

const unknown = { name: '', symbol: '', links: [], admin: null, offchainAdmin: null, mintable: null } as const;
const previews = ['day', 'week', 'month'].flatMap((period) => ['dark', 'light'].map((color) => ({ period, color })));

/** What the operations on jettons and their metrics answer, from the definitions alone. */
export class JettonAnswers {
  readonly #figures = new Map<string, Figures>();

  constructor(private readonly market: WholeMarket) {}

  figures(jetton: string): Figures {
    const figures = this.#figures.get(jetton) ?? this.#recompute(jetton);
    this.#figures.set(jetton, figures);
    return figures;
  }

  #recompute(jetton: string): Figures {
    const { market } = this;
    const { t, trades, curation } = market;
    const metadata = market.metadata.get(jetton);
    const { ton: price, usd: priceUsd } = market.pricesOf(jetton);
    const states = market.marketsOf(jetton).flatMap((pool) => market.pools.get(pool) ?? []);
    const worths = states.map((state) => market.worth(state));
    const { holders, sum, burned, topTen } = market.holdersOf(jetton);
    const totalSupply = metadata?.totalSupply ?? sum;
    const circulatingSupply = totalSupply > burned ? totalSupply - burned : 0n;
    const isComplete = metadata?.totalSupply !== undefined;
    const capUsd = (supply: bigint) => (isComplete ? capOf(priceUsd, supply, market.decimalsOf(jetton), 6) : undefined);
    const firsts = [metadata?.earliestUpdate, trades.firstTradeOf(jetton)].filter((time) => time !== undefined);
    const createdAt =
      metadata?.createdAt ?? (firsts.length > 0 ? Math.min(...firsts) : (metadata?.earliestRecord ?? t));
    const verification = curation.verdicts.get(jetton) ?? 'JVS_NONE';
    const liquidityUsd = total(
      worths.map(({ usd }) => usd),
      6,
    );
    const statistics = trades.jettonStatistics(jetton, sameInstant(t), true);
    const { score, parts } = trustScoreOf({
      verification,
      liquidityUsd,
      holders,
      traders24h: BigInt(statistics?.traders['day']?.current ?? '0'),
      ageSeconds: t - createdAt,
      isStandardCode: metadata?.codeHash === curation.standardCode,
      isKnownNotMintable: metadata?.mintable === false,
      topTen,
      circulatingSupply,
    });
    const tvl = total(
      worths.map(({ ton }) => ton),
      9,
    );
    const [fdmc, mcap] = [capUsd(totalSupply), capUsd(circulatingSupply)];
    const supplies = { totalSupply, circulatingSupply, isComplete, fdmc, mcap, holdersCount: holders };
    const trust = { verification, trustScore: score, trustParts: parts };
    return { price, priceUsd, liquidityUsd, tvl, ...supplies, createdAt, ...trust };
  }

  /** A record of operation 1. */
  record(jetton: string): Record<string, unknown> {
    const { market } = this;
    const figures = this.figures(jetton);
    const metadata: Partial<Metadata> & typeof unknown = { ...unknown, ...market.metadata.get(jetton) } as never;
    const { standardCode, publicUrl } = market.curation;
    const { admin, offchainAdmin, codeHash } = metadata;
    const hasPrice = figures.price !== undefined || figures.priceUsd !== undefined;
    const preview = ({ period, color }: { period: string; color: string }) => ({
      url: `${publicUrl}/v1/jettons/${encodeURIComponent(jetton)}/chart-previews/price-${period}-${color}.svg`,
      metric: 'price',
      period,
      color,
    });
    return {
      metadata: {
        address: jetton,
        name: metadata.name,
        symbol: metadata.symbol,
        decimals: market.decimalsOf(jetton),
        image: metadata.image,
        description: metadata.description,
        offchainImage: metadata.offchainImage,
        offchainDescription: metadata.offchainDescription,
        links: metadata.links,
        createdAt: timestampOf(figures.createdAt),
      },
      admin:
        admin === null && offchainAdmin === null
          ? undefined
          : { address: admin ?? undefined, offchainAddress: offchainAdmin ?? undefined },
      totalSupply: String(figures.totalSupply),
      mintable: metadata.mintable === true,
      modifiedContract: codeHash !== undefined && codeHash !== standardCode,
      verification: figures.verification,
      price: figures.price,
      priceUsd: figures.priceUsd,
      holdersCount: String(figures.holdersCount),
      liquidityUsd: figures.liquidityUsd,
      fdmc: figures.fdmc,
      trustScore: figures.trustScore,
      mcap: figures.mcap,
      circulatingSupply: String(figures.circulatingSupply),
      chartPreviews: hasPrice ? previews.map(preview) : [],
    };
  }

  /** Operation 2; the parts without their reasons, which are words. */
  details(jetton: string): unknown {
    const trustScoreDetails = { version: 1, parts: this.figures(jetton).trustParts };
    return { details: { ...this.record(jetton), trustScoreDetails }, addressBook: this.recordBook([jetton]) };
  }

  /** Operation 1. */
  list(jettons: readonly string[]): Record<string, unknown> {
    return { jettons: jettons.map((jetton) => this.record(jetton)), addressBook: this.recordBook(jettons) };
  }

  /** A JettonMetrics in a currency. */
  metrics(jetton: string, currency: string): Record<string, unknown> {
    const figures = this.figures(jetton);
    const { price, priceUsd, liquidityUsd, fdmc, mcap } = figures;
    return {
      address: jetton,
      price,
      priceUsd,
      liquidityUsd,
      fdmc,
      mcap,
      ...this.#inCurrency(jetton, figures, currency),
      holdersCount: String(figures.holdersCount),
      circulatingSupply: String(figures.circulatingSupply),
      trustScore: figures.trustScore,
    };
  }

  #inCurrency(jetton: string, figures: Figures, currency: string): Record<string, Amount | undefined> {
    const { price, priceUsd, liquidityUsd, tvl, fdmc, mcap, isComplete } = figures;
    if (currency === 'usd') {
      return { priceCurrency: priceUsd, liquidityCurrency: liquidityUsd, fdmcCurrency: fdmc, mcapCurrency: mcap };
    }
    if (currency === 'ton') {
      const cap = (supply: bigint) =>
        isComplete ? capOf(price, supply, this.market.decimalsOf(jetton), 9) : undefined;
      const [fdmcCurrency, mcapCurrency] = [cap(figures.totalSupply), cap(figures.circulatingSupply)];
      return { priceCurrency: price, liquidityCurrency: tvl, fdmcCurrency, mcapCurrency };
    }
    const rate = this.market.curation.rates.on(currency, dayOf(this.market.t));
    return {
      priceCurrency: convertedPrice(priceUsd, rate),
      liquidityCurrency: converted(liquidityUsd, rate),
      fdmcCurrency: converted(fdmc, rate),
      mcapCurrency: converted(mcap, rate),
    };
  }

  /** `GET …/price`. */
  price(jetton: string, currency: string): Record<string, unknown> {
    const { t, trades, assets } = this.market;
    const { price, priceUsd, priceCurrency } = this.metrics(jetton, currency) as Record<string, Amount | undefined>;
    const state = (value: Amount | undefined, kind: 'ton' | 'usd') => {
      const minute = pricedMinute(t, trades.legsOf(jetton), kind, assets);
      return value && minute !== undefined ? { price: value, changedAt: timestampOf(minute) } : undefined;
    };
    return {
      ton: state(price, 'ton'),
      usd: state(priceUsd, 'usd'),
      currency: state(priceCurrency, currency === 'ton' ? 'ton' : 'usd'),
    };
  }

  /** `GET …/liquidity`. */
  liquidity(jetton: string, currency: string): Record<string, unknown> {
    const { liquidityUsd, tvl } = this.figures(jetton);
    const { liquidityCurrency } = this.metrics(jetton, currency);
    const states = this.market.marketsOf(jetton).flatMap((pool) => this.market.pools.get(pool) ?? []);
    const newest = Math.max(0, ...states.map(({ lastUpdated }) => lastUpdated));
    const changedAt = newest === 0 ? undefined : timestampOf(newest);
    return { value: liquidityUsd, ton: tvl, usd: liquidityUsd, currency: liquidityCurrency, changedAt };
  }

  /** Operation 3. */
  metricsList(jettons: readonly string[], currency: string): Record<string, unknown> {
    const items = jettons.map((jetton) => this.metrics(jetton, currency));
    return { items, addressBook: this.book(jettons.map((one) => [one, 'jetton'])), jettons: this.jettonBook(jettons) };
  }

  recordBook(jettons: readonly string[]): Record<string, unknown> {
    const admins = jettons.flatMap((jetton) => this.market.metadata.get(jetton)?.admin ?? []);
    return this.book([
      ...jettons.map((one) => [one, 'jetton'] as const),
      ...admins.map((one) => [one, 'wallet'] as const),
    ]);
  }

  /** An addressBook; a jetton before a pool before a wallet. */
  book(entries: readonly (readonly [string, 'jetton' | 'pool' | 'wallet'])[]): Record<string, unknown> {
    const rank = { jetton: 0, pool: 1, wallet: 2 };
    const book: Record<string, unknown> = {};
    for (const [address, kind] of entries.toSorted(([, a], [, b]) => rank[b] - rank[a])) {
      const name = this.market.metadata.get(address)?.name || undefined;
      book[address] = { userFriendly: friendly(address, kind), kind, name };
    }
    return book;
  }

  jettonBook(jettons: readonly string[]): Record<string, unknown> {
    const entries = jettons.map((address) => {
      const { name = '', symbol = '', image } = this.market.metadata.get(address) ?? {};
      const { verification } = this.figures(address);
      return [address, { address, name, symbol, decimals: this.market.decimalsOf(address), image, verification }];
    });
    return Object.fromEntries(entries) as Record<string, unknown>;
  }
}
