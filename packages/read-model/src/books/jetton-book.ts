import type { JettonRecord } from '../records/jetton-record.js';

function entryText({ address, metadata, decimals, verification }: JettonRecord): string {
  const { name, symbol, image } = metadata;
  return JSON.stringify({ address, name, symbol, decimals, ...(image !== undefined && { image }), verification });
}

const entries = new WeakMap<JettonRecord, string>();

/**
 * The object `jettons` of an answer as JSON text: what jettons are called and how they are written, one entry each, by
 * raw address. Source: docs/http-api.md, "Address book and jettons".
 */
export function jettonBookText(records: Iterable<JettonRecord>): string {
  const texts = Array.from(records, (record) => {
    let text = entries.get(record);
    if (text === undefined) entries.set(record, (text = entryText(record)));
    return `"${record.address}":${text}`;
  });
  return `{${texts.join(',')}}`;
}
