import type { StatisticsTemplate } from '@jetton-analytics/figures';
import type { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { type Answer, findItems, listBody } from '../request/answer.js';
import { calculatedAtOf, oldestOfItems } from '../request/calculated-at.js';

export interface ChangeListParts {
  readonly model: ReadModel;
  readonly book: AddressBookWriter;
  /** The item of a raw address; undefined for an unknown jetton. */
  readonly itemOf: (address: string) => StatisticsTemplate | undefined;
}

/**
 * A change list: the items of the requested jettons (raw addresses, each once) in their order, the others as `missing`.
 * Throws DomainError (unavailable) before the first snapshot has been read, and what `itemOf` throws.
 */
export function listChanges({ model, book, itemOf }: ChangeListParts, requested: readonly string[]): Answer {
  const calculatedAt = calculatedAtOf(model);
  const { addresses, templates, missing } = findItems(requested, itemOf);
  const addressBook = book.text(addresses.map((address) => [address, 'jetton'] as const));
  const tail = `],"addressBook":${addressBook},"missing":${JSON.stringify(missing)}}`;
  return {
    ...listBody('{"items":[', templates, tail, calculatedAt),
    asOf: oldestOfItems(templates, calculatedAt),
  };
}
