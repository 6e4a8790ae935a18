import type { Currency } from '@jetton-analytics/common';
import {
  fiatVolumeSums,
  type JettonFigures,
  renderJettonStatistics,
  renderPriceChanges,
  renderTradersChanges,
  renderTransactionChanges,
  renderVolumeChanges,
  type StatisticsTemplate,
  volumeSums,
  type VolumeSums,
} from '@jetton-analytics/figures';
import type { Rates } from '@jetton-analytics/rates';
import { ItemCache, type ItemFigures, jettonFigures, ReadModel, usdByDay } from '@jetton-analytics/read-model';
import { DomainError } from '@jetton-analytics/service';
import { Injectable } from '@nestjs/common';

/**
 * The bytes of jettons' items, kept until their figures change. Addresses are raw; undefined for a jetton that neither
 * metadata nor a trade is known of.
 */
@Injectable()
export class JettonItems {
  #rates: Rates | undefined;
  #ratesNumber = 0;

  constructor(
    private readonly model: ReadModel,
    private readonly cache: ItemCache,
  ) {}

  /** JettonStatistics: operations 4 to 6. */
  statistics(address: string): StatisticsTemplate | undefined {
    return this.#item('', address, renderJettonStatistics);
  }

  /** TransactionCountChanges: operations 8 and 9. */
  transactionChanges(address: string): StatisticsTemplate | undefined {
    return this.#item('transactions ', address, renderTransactionChanges);
  }

  tradersChanges(address: string): StatisticsTemplate | undefined {
    return this.#item('traders ', address, renderTradersChanges);
  }

  priceChanges(address: string): StatisticsTemplate | undefined {
    return this.#item('price ', address, renderPriceChanges);
  }

  /** VolumeChanges: operation 10. Throws DomainError (unavailable) while no rate of the currency is known. */
  volumeChanges(address: string, currency: Currency): StatisticsTemplate | undefined {
    const figures = this.model.figures(address);
    if (figures === undefined) return undefined;
    const decimalsOf = currency === 'ton' ? 'ton' : 'fiat';
    return this.cache.get(this.#volumeKey(currency) + address, figures, () =>
      renderVolumeChanges(address, this.#volumeSums(figures, currency), decimalsOf),
    );
  }

  #item(
    kind: string,
    address: string,
    render: (address: string, figures: JettonFigures) => StatisticsTemplate,
  ): StatisticsTemplate | undefined {
    const figures = this.model.figures(address);
    if (figures === undefined) return undefined;
    return this.cache.get(kind + address, figures, () => render(address, jettonFigures(figures)));
  }

  /** What was converted at former rates is never found again and goes in its turn. */
  #volumeKey(currency: Currency): string {
    if (currency === 'ton' || currency === 'usd') return `${currency} `;
    const { rates } = this.model;
    if (rates !== this.#rates) {
      this.#rates = rates;
      this.#ratesNumber += 1;
    }
    return `${currency} ${this.#ratesNumber} `;
  }

  #volumeSums(figures: ItemFigures, currency: Currency): VolumeSums {
    if (currency === 'ton' || currency === 'usd') return volumeSums(jettonFigures(figures), currency);
    const { rates } = this.model;
    return fiatVolumeSums(usdByDay(figures), (day) => {
      const rate = rates.on(currency, day);
      if (rate === undefined) throw new DomainError('unavailable', `no rate of ${currency} is known yet, try again`);
      return rate;
    });
  }
}
