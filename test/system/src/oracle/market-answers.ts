import { type Amount, priceAmount } from './change.js';
import { counts } from './counterpart.js';
import { friendly } from './friendly.js';
import type { JettonAnswers } from './jetton-answers.js';
import type { Leg } from './legs.js';
import { convertedPrice, emittedPrice, rounded } from './metrics.js';
import { isPriced, priceAt } from './price.js';
import { type Preview, previewOf, type PreviewPoint } from './preview.js';
import { dayOf } from './rates.js';
import type { WholeMarket } from './whole-market.js';
import { sameInstant, timestampOf } from './windows.js';

export const resolutions = {
  min1: { seconds: 60, range: 86_400 },
  min15: { seconds: 900, range: 7 * 86_400 },
  hour1: { seconds: 3_600, range: 30 * 86_400 },
  day1: { seconds: 86_400, range: 365 * 86_400 },
} as const;
export type Resolution = keyof typeof resolutions;

export const previewPeriods = {
  day: { seconds: 900, range: 86_400 },
  week: { seconds: 3_600, range: 7 * 86_400 },
  month: { seconds: 3_600, range: 30 * 86_400 },
} as const;

interface Steps {
  readonly seconds: number;
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  readonly currency: string;
  readonly gapFill: boolean;
}

interface MarketItem {
  readonly poolAddress: string;
  readonly counterpart: string | undefined;
  readonly liquidity: Amount | undefined;
}

const worthOf = ({ liquidity }: MarketItem) => (liquidity === undefined ? -1n : BigInt(liquidity.value));

const newestFirst = (a: Leg, b: Leg): number =>
  b.eventTime - a.eventTime || (a.eventId === b.eventId ? (a.side < b.side ? 1 : -1) : a.eventId < b.eventId ? 1 : -1);

/** What the operations on markets and single trades answer, from the definitions alone. */
export class MarketAnswers {
  constructor(
    private readonly market: WholeMarket,
    private readonly answers: JettonAnswers,
  ) {}

  statistics(jetton: string, pool: string): unknown {
    const { trades, t } = this.market;
    return trades.marketStatistics(jetton, pool, sameInstant(t), this.market.marketState(jetton, pool));
  }

  /** The most liquid first, then by address; without a known liquidity last. */
  markets(jetton: string): unknown {
    const markets = this.market.marketsOf(jetton).map((pool) => this.#market(jetton, pool));
    markets.sort((a, b) => {
      const [left, right] = [worthOf(a), worthOf(b)];
      return left === right ? (a.poolAddress < b.poolAddress ? -1 : 1) : left < right ? 1 : -1;
    });
    const others = [...new Set(markets.map(({ counterpart }) => counterpart))].filter(
      (asset): asset is string => asset !== undefined && asset !== 'ton',
    );
    const book = this.answers.book([
      ...markets.map(({ poolAddress }) => [poolAddress, 'pool'] as const),
      ...others.map((asset) => [asset, 'jetton'] as const),
    ]);
    const jettons = this.answers.jettonBook(others.filter((asset) => this.market.isKnown(asset)));
    return { markets, addressBook: book, jettons };
  }

  #market(jetton: string, pool: string): MarketItem & Record<string, unknown> {
    const { market } = this;
    const state = market.pools.get(pool);
    const statistics = market.trades.marketStatistics(
      jetton,
      pool,
      sameInstant(market.t),
      market.marketState(jetton, pool),
    );
    const price = statistics?.priceChange.counterpart['hour']?.current;
    const legs = market.trades.legsOf(jetton).filter((leg) => leg.pool === pool);
    const named = market.marketState(jetton, pool).counterpart;
    const counting = legs.filter((leg) => counts(leg, market.assets)).sort(newestFirst);
    const usd = state && market.worth(state).usd;
    const newest = Math.max(...legs.map(({ eventTime }) => eventTime));
    return {
      poolAddress: pool,
      counterpart: named ?? counting[0]?.other,
      exchangeId: state?.project ?? '',
      createdAt: state === undefined || state.discoveredAt === 0 ? undefined : timestampOf(state.discoveredAt),
      liquidity: usd && rounded(usd, 6),
      price: price === undefined || price.value === '0' ? undefined : price,
      lastTransactionAt: legs.length === 0 ? undefined : timestampOf(newest),
    };
  }

  /** The trades of a jetton that a filter keeps, newest first. */
  transactions(jetton: string, keeps: (leg: Leg) => boolean = () => true): unknown[] {
    const { market } = this;
    const amountOf = (asset: string, raw: bigint) => ({ value: String(raw), decimals: market.decimalsOf(asset) });
    const legs = market.trades.legsOf(jetton).filter(keeps);
    return legs.sort(newestFirst).map((leg) => ({
      time: timestampOf(leg.eventTime),
      hash: leg.txHashHex,
      who: leg.trader ?? undefined,
      whoFriendly: leg.trader === null ? undefined : friendly(leg.trader, 'wallet'),
      type: leg.side === 'buy' ? 'TT_BUY' : 'TT_SELL',
      counterpart: leg.other,
      exchangeId: leg.project ?? '',
      pool: leg.pool ?? undefined,
      amount: amountOf(jetton, leg.amount),
      counterpartAmount: amountOf(leg.other, leg.otherAmount),
      price: priceAmount(
        {
          numerator: leg.otherAmount * 10n ** BigInt(market.decimalsOf(jetton)),
          denominator: leg.amount * 10n ** BigInt(market.decimalsOf(leg.other)),
        },
        9,
      ),
    }));
  }

  /** Newest first: the price at the end of each step, of steps with a trade that set it unless gaps are filled. */
  chart(jetton: string, resolution: Resolution, currency: string, gapFill: boolean): unknown {
    const { seconds, range } = resolutions[resolution];
    const { t } = this.market;
    const points = this.#steps(jetton, { seconds, from: t - range, to: t, currency, gapFill });
    return { points: points.toReversed().map(({ value, time }) => ({ value, time: timestampOf(time) })) };
  }

  /** A chart preview: of the price in usd, up to the minute of T. */
  preview(jetton: string, period: keyof typeof previewPeriods, color: string): Preview {
    const { t, metadata } = this.market;
    const { seconds, range } = previewPeriods[period];
    const to = t - (t % 60);
    const from = to - range;
    const { name = '', symbol = '' } = metadata.get(jetton) ?? {};
    const title = `${name || symbol || jetton}: price, last ${period}`;
    const points = this.#steps(jetton, { seconds, from, to, currency: 'usd', gapFill: true });
    return previewOf(points, { from, to, color, title });
  }

  /** Oldest first. */
  #steps(jetton: string, { seconds, from, to, currency, gapFill }: Steps): PreviewPoint[] {
    const { market } = this;
    const kind = currency === 'ton' ? 'ton' : 'usd';
    const legs = market.trades.legsOf(jetton);
    const points: PreviewPoint[] = [];
    const priced = legs.filter((leg) => isPriced(leg, kind, market.assets));
    for (let start = from - (from % seconds); start < to; start += seconds) {
      const isNew = priced.some(({ eventTime }) => start <= eventTime && eventTime < start + seconds);
      if (!isNew && !gapFill) continue;
      const price = priceAt(start + seconds, jetton, legs, kind, market.assets);
      const emitted = emittedPrice(price, kind === 'ton' ? 9 : 6);
      const value =
        kind === currency ? emitted : convertedPrice(emitted, market.curation.rates.on(currency, dayOf(start)));
      if (value !== undefined) points.push({ value, time: start });
    }
    return points;
  }
}
