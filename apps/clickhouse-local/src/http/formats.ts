import type { RawInsertFormat } from 'chdb';

const RAW_FORMATS: readonly RawInsertFormat[] = [
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'CSVWithNames',
  'TSV',
  'TabSeparated',
  'TSVWithNames',
  'TabSeparatedWithNames',
];

/** Formats whose rows the engine takes as bytes beside the statement; the others go through a file. */
export const asRawFormat = (format: string): RawInsertFormat | undefined => RAW_FORMATS.find((raw) => raw === format);

/** Content-Type of an output format, as ClickHouse answers it. */
export function contentTypeOf(format: string): string {
  if (format.endsWith('EachRow') || format.endsWith('EachRowWithProgress'))
    return 'application/x-ndjson; charset=UTF-8';
  if (format.startsWith('JSON')) return 'application/json; charset=UTF-8';
  if (format.startsWith('CSV')) return 'text/csv; charset=UTF-8; header=absent';
  if (format.startsWith('TSV') || format.startsWith('TabSeparated')) return 'text/tab-separated-values; charset=UTF-8';
  if (/^(Native|RowBinary|Parquet|Arrow|ORC|Avro|Protobuf|MsgPack|BSON|CapnProto|Npy)/.test(format))
    return 'application/octet-stream';
  return 'text/plain; charset=UTF-8';
}
