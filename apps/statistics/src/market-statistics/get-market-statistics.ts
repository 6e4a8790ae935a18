import { renderMarketStatistics } from '@jetton-analytics/figures';
import { type ItemCache, marketFigures, type ReadModel } from '@jetton-analytics/read-model';
import { DomainError } from '@jetton-analytics/service';
import { type Answer, oneBody } from '../request/answer.js';
import { calculatedAtOf, oldestOf } from '../request/calculated-at.js';

/**
 * A MarketStatistics object (operation 7). Addresses are raw. Throws DomainError: notFound for an unknown jetton and for a
 * pool that is no market of it, unavailable before the first snapshot has been read.
 */
export function getMarketStatistics(
  model: ReadModel,
  cache: ItemCache,
  { address, poolAddress }: { readonly address: string; readonly poolAddress: string },
): Answer {
  const calculatedAt = calculatedAtOf(model);
  const figures = model.market(address, poolAddress);
  if (figures === undefined) {
    const isKnown = model.figures(address) !== undefined;
    throw new DomainError('notFound', isKnown ? 'the pool is not a market of this jetton' : 'no such jetton');
  }
  const template = cache.get(`${address}|${poolAddress}`, figures, () =>
    renderMarketStatistics(marketFigures(figures)),
  );
  return { ...oneBody(template, calculatedAt), asOf: oldestOf(calculatedAt) };
}
