import type { CalculatedAt } from '@jetton-analytics/figures';
import type { ReadModel } from '@jetton-analytics/read-model';
import { DomainError } from '@jetton-analytics/service';

/** C of each step. Throws DomainError (unavailable) before the first snapshot of every step has been read. */
export function calculatedAtOf(model: ReadModel): CalculatedAt {
  const { calculatedAt } = model;
  if (calculatedAt !== undefined) return calculatedAt;
  throw new DomainError('unavailable', 'no statistics have been calculated yet, try again', { retryAfterSeconds: 2 });
}

/** The oldest calculatedAt of an answer that has windows of every step, Unix seconds. */
export const oldestOf = ({ short, mid, long }: CalculatedAt): number => Math.min(short, mid, long);

/** As {@link oldestOf}; an answer without items has no calculatedAt and is as new as the newest prices. */
export const oldestOfItems = (items: readonly unknown[], calculatedAt: CalculatedAt): number =>
  items.length === 0 ? calculatedAt.short : oldestOf(calculatedAt);
