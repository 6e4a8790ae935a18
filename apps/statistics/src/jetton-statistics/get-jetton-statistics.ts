import { type CalculatedAt, fillHoles, renderJettonStatistics } from '@jetton-analytics/figures';
import { DomainError } from '@jetton-analytics/service';
import { type ItemCache, jettonFigures, type ReadModel } from '@jetton-analytics/read-model';

/**
 * The bytes of a JettonStatistics object (operation 6). `address` is raw. Throws DomainError (notFound) for a jetton
 * that no trade is known of.
 */
export function getJettonStatistics(
  model: ReadModel,
  cache: ItemCache,
  calculatedAt: CalculatedAt,
  address: string,
): Buffer {
  const figures = model.figures(address);
  if (figures === undefined) throw new DomainError('notFound', 'no such jetton');
  const template = cache.get(address, figures, () => renderJettonStatistics(address, jettonFigures(figures)));
  return fillHoles(template, calculatedAt);
}
