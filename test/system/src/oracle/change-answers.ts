import { amountChange } from './change.js';
import { divideRounded, type Fraction } from './exact.js';
import type { Leg } from './legs.js';
import { dayOf } from './rates.js';
import type { WholeMarket } from './whole-market.js';
import { sameInstant, windowsB, windowSeconds } from './windows.js';

const scale = 10n ** 18n;

/** Operations 8 to 10 and their like: the items of known jettons in the order of the request. */
export class ChangeAnswers {
  constructor(private readonly market: WholeMarket) {}

  statistics(jetton: string) {
    const { trades, t } = this.market;
    const statistics = trades.jettonStatistics(jetton, sameInstant(t), this.market.isKnown(jetton));
    if (statistics === undefined) throw new Error(`not known: ${jetton}`);
    return statistics;
  }

  transactions(jetton: string): unknown {
    const { transactions: total, transactionsBuy: buy, transactionsSell: sell } = this.statistics(jetton);
    return { address: jetton, changes: { total, buy, sell } };
  }

  traders(jetton: string): unknown {
    const { traders: total, tradersBuy: buy, tradersSell: sell } = this.statistics(jetton);
    return { address: jetton, changes: { total, buy, sell } };
  }

  prices(jetton: string): unknown {
    return { address: jetton, priceChange: this.statistics(jetton).priceChange };
  }

  /** Yesterday's volume at yesterday's rate; only the window's sum is rounded. */
  volume(jetton: string, currency: string): unknown {
    const legs = this.market.trades.legsOf(jetton);
    const of = (side: 'buy' | 'sell' | undefined) => {
      const kept = side === undefined ? legs : legs.filter((leg) => leg.side === side);
      return Object.fromEntries(windowsB.map((name) => [name, this.#change(kept, windowSeconds[name], currency)]));
    };
    return { address: jetton, changes: { total: of(undefined), buy: of('buy'), sell: of('sell') } };
  }

  #change(legs: readonly Leg[], w: number, currency: string) {
    const { t } = this.market;
    const amount = (from: number, to: number) =>
      this.#sum(
        legs.filter(({ eventTime }) => from <= eventTime && eventTime < to),
        currency,
      );
    return amountChange(amount(t - 2 * w, t - w), amount(t - w, t), t);
  }

  #sum(legs: readonly Leg[], currency: string) {
    const isFiat = currency !== 'ton' && currency !== 'usd';
    let sum = 0n; // × 10^18 of the volume × 10^18 of the rate
    for (const leg of legs) {
      const volume = (currency === 'ton' ? leg.volumeTon : leg.volumeUsd) ?? 0n;
      sum += volume * (isFiat ? scaledRate(this.market.curation.rates.on(currency, dayOf(leg.eventTime))) : scale);
    }
    const decimals = currency === 'ton' ? 9 : 6;
    return { value: divideRounded(sum * 10n ** BigInt(decimals), scale * scale).toString(), decimals };
  }
}

/** A rate × 10^18, exact: no rate of the tests has more decimals. */
function scaledRate({ numerator, denominator }: Fraction): bigint {
  if ((numerator * scale) % denominator !== 0n) throw new Error('a rate with more than 18 decimals');
  return (numerator * scale) / denominator;
}
