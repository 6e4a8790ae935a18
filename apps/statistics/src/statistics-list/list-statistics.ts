import type { ListQuery } from '@jetton-analytics/common';
import type { ListWalks } from '@jetton-analytics/list-engine';
import { type AddressBookWriter, jettonBookText, type ReadModel } from '@jetton-analytics/read-model';
import type { JettonItems } from '../items/jetton-items.js';
import { type Answer, findItems, listBody } from '../request/answer.js';
import { calculatedAtOf, oldestOfItems } from '../request/calculated-at.js';

export interface StatisticsListParts {
  readonly model: ReadModel;
  readonly items: JettonItems;
  readonly book: AddressBookWriter;
  readonly walks: ListWalks;
}

/**
 * A page of operations 4 and 5. The order is the pinned one's, the figures are the newest. Throws DomainError: unavailable
 * before the first snapshot has been read, and what ListWalks.page throws.
 */
export async function listStatistics(
  { model, items, book, walks }: StatisticsListParts,
  query: ListQuery,
): Promise<Answer> {
  const page = await walks.page(model.list, 'stats', query);
  // From here on nothing waits, so that all figures are of the same snapshots.
  const calculatedAt = calculatedAtOf(model);
  const { addresses, templates } = findItems(page.addresses, (address) => items.statistics(address));
  const records = addresses.flatMap((address) => model.row(address) ?? []);
  const addressBook = book.text(addresses.map((address) => [address, 'jetton'] as const));
  const missing = query.address.length === 0 ? '' : `,"missing":${JSON.stringify(page.missing)}`;
  const next = page.next === undefined ? '' : `,"next":${JSON.stringify(page.next)}`;
  const tail = `],"addressBook":${addressBook},"jettons":${jettonBookText(records)}${missing}${next}}`;
  return {
    ...listBody('{"items":[', templates, tail, calculatedAt),
    asOf: oldestOfItems(templates, calculatedAt),
  };
}
