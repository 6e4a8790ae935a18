import type { AddressBookWriter, JettonRecord, ReadModel } from '@jetton-analytics/read-model';
import { addressesOf, type JettonTexts } from '../answers/jetton-text.js';
import { trustScoreOf } from '../answers/known-jetton.js';

/** Operation 2: a jetton with the parts of its trust score as JSON text. `seenAt` as in operation 1. */
export function getJettonDetails(
  parts: { model: ReadModel; texts: JettonTexts; addressBook: AddressBookWriter },
  record: JettonRecord,
  seenAt: number,
): string {
  const { model, texts, addressBook } = parts;
  const { version, parts: trustParts } = trustScoreOf(model, record);
  const details = JSON.stringify({ version, parts: trustParts });
  const book = addressBook.text(addressesOf(record));
  return `{"details":${texts.open(record, seenAt)},"trustScoreDetails":${details}},"addressBook":${book}}`;
}
