import type { ListQuery } from '@jetton-analytics/common';
import type { ListWalks } from '@jetton-analytics/list-engine';
import type { AddressBookWriter, ReadModel } from '@jetton-analytics/read-model';
import { addressesOf, type JettonTexts } from '../answers/jetton-text.js';
import { pageEnd } from '../answers/list-text.js';

/**
 * Operation 1: a page of jettons as JSON text. `seenAt` is C of the hour window, Unix seconds. Throws DomainError for a
 * cursor that is not this list's and where a pinned order cannot be had.
 */
export async function listJettons(
  parts: { model: ReadModel; walks: ListWalks; texts: JettonTexts; addressBook: AddressBookWriter },
  query: ListQuery,
  seenAt: number,
): Promise<string> {
  const { model, walks, texts, addressBook } = parts;
  const { addresses, missing, next } = await walks.page(model.list, 'jettons', query);
  const records = addresses.flatMap((address) => model.row(address) ?? []);
  const items = records.map((record) => texts.text(record, seenAt)).join(',');
  const book = addressBook.text(records.flatMap(addressesOf));
  const asked = query.address.length === 0 ? undefined : missing;
  return `{"jettons":[${items}],"addressBook":${book}${pageEnd({ missing: asked, next })}`;
}
