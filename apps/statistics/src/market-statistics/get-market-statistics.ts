import { type CalculatedAt, fillHoles, renderMarketStatistics } from '@jetton-analytics/figures';
import { DomainError } from '@jetton-analytics/service';
import { type ItemCache, marketFigures, type ReadModel } from '@jetton-analytics/read-model';

/**
 * The bytes of a MarketStatistics object (operation 7). Addresses are raw. Throws DomainError (notFound) for a jetton
 * that no trade is known of and for a pool that is no market of it.
 */
export function getMarketStatistics(
  model: ReadModel,
  cache: ItemCache,
  calculatedAt: CalculatedAt,
  { address, poolAddress }: { address: string; poolAddress: string },
): Buffer {
  const figures = model.market(address, poolAddress);
  if (figures === undefined) {
    const detail = model.figures(address) === undefined ? 'no such jetton' : 'the pool is not a market of this jetton';
    throw new DomainError('notFound', detail);
  }
  const key = `${address}|${poolAddress}`;
  const template = cache.get(key, figures, () => renderMarketStatistics(marketFigures(figures)));
  return fillHoles(template, calculatedAt);
}
