import type { ListQuery } from '@jetton-analytics/common';
import type { ListWalks } from '@jetton-analytics/list-engine';
import { type AddressBookWriter, jettonBookText, type ReadModel } from '@jetton-analytics/read-model';
import { pageEnd } from '../answers/list-text.js';
import { metricsCurrency, metricsText } from '../answers/metrics-text.js';

/**
 * Operation 3: a page of metrics as JSON text, in the requested currency at the rate of the UTC day of `at` (C of the
 * hour window, Unix seconds). Throws DomainError as operation 1 does.
 */
export async function listMetrics(
  parts: { model: ReadModel; walks: ListWalks; addressBook: AddressBookWriter },
  query: ListQuery,
  at: number,
): Promise<string> {
  const { model, walks, addressBook } = parts;
  const { addresses, missing, next } = await walks.page(model.list, 'metrics', query);
  const records = addresses.flatMap((address) => model.row(address) ?? []);
  const currency = metricsCurrency(query.currency, model.rates, at);
  const items = records.map((record) => metricsText(record, currency)).join(',');
  const book = addressBook.text(records.map(({ address }) => [address, 'jetton']));
  const asked = query.address.length === 0 ? undefined : missing;
  return `{"items":[${items}],"addressBook":${book},"jettons":${jettonBookText(records)}${pageEnd({ missing: asked, next })}`;
}
