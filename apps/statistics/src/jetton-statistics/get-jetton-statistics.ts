import type { ReadModel } from '@jetton-analytics/read-model';
import { DomainError } from '@jetton-analytics/service';
import type { JettonItems } from '../items/jetton-items.js';
import { type Answer, oneBody } from '../request/answer.js';
import { calculatedAtOf, oldestOf } from '../request/calculated-at.js';

/**
 * A JettonStatistics object (operation 6). `address` is raw. Throws DomainError: notFound for an unknown jetton,
 * unavailable before the first snapshot has been read.
 */
export function getJettonStatistics(model: ReadModel, items: JettonItems, address: string): Answer {
  const calculatedAt = calculatedAtOf(model);
  const template = items.statistics(address);
  if (template === undefined) throw new DomainError('notFound', 'no such jetton');
  return { ...oneBody(template, calculatedAt), asOf: oldestOf(calculatedAt) };
}
