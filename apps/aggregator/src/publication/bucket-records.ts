import type { RowBinaryReader } from '@jetton-analytics/clickhouse';
import {
  jettonRollupKey,
  poolRollupKey,
  type RollupDataset,
  rollupEventHeaders,
  type RollupGrain,
  rollupGrainSeconds,
  rollupPartitionOf,
} from '@jetton-analytics/common';
import { decimalText, formatInstant } from '@jetton-analytics/figures';
import type { ProducedRecord } from '@jetton-analytics/kafka';

export type BucketDataset = Exclude<RollupDataset, 'statistics'>;

/** A bucket as it was read: what its record says, but for the instants of the publication. */
export interface BucketRow {
  readonly key: string;
  readonly jetton: string;
  readonly endSeconds: number;
  readonly version: bigint;
  /** Members of the record's JSON object, each with a comma behind it. */
  readonly figures: string;
}

/** When a row was read, and how far the input was taken in then. */
export interface ReadAt {
  readonly nowMs: number;
  /** T, Unix seconds; undefined: not known yet. */
  readonly asOf: number | undefined;
}

const grainOf = {
  jettonMinute: 'minute',
  poolMinute: 'minute',
  jettonHour: 'hour',
  jettonDay: 'day',
} as const satisfies Record<BucketDataset, RollupGrain>;

const volumeDigits = 18;
const volume = (rows: RowBinaryReader) => decimalText(rows.int256(), volumeDigits);
const count = (rows: RowBinaryReader) => rows.uint64().toString();

/** The rows of minutesToPublish and coarseToPublish. */
export function bucketRows(dataset: BucketDataset, rows: RowBinaryReader): BucketRow[] {
  const read: BucketRow[] = [];
  while (!rows.isDone) read.push(readRow(dataset, rows));
  return read;
}

// The JSON is put together by hand, a third of the work: every value is an address or a number in text.
function readRow(dataset: BucketDataset, rows: RowBinaryReader): BucketRow {
  const grain = grainOf[dataset];
  const isPool = dataset === 'poolMinute';
  const jetton = rows.ascii();
  const pool = isPool ? rows.ascii() : '';
  const start = rows.uint32();
  const endSeconds = start + rollupGrainSeconds[grain];
  const market = isPool ? `"pool":"${pool}",` : '';
  const traded =
    `"grain":"${grain}","jetton":"${jetton}",${market}` +
    `"windowStart":"${formatInstant(start)}","windowEnd":"${formatInstant(endSeconds)}",` +
    `"transactionsBuy":"${count(rows)}","transactionsSell":"${count(rows)}",` +
    `"volumeUsdBuy":"${volume(rows)}","volumeUsdSell":"${volume(rows)}",` +
    `"volumeTonBuy":"${volume(rows)}","volumeTonSell":"${volume(rows)}","traders":"${count(rows)}",`;
  const more = isPool
    ? `"priceVolumeTon":"${volume(rows)}","priceAmountTon":"${rows.uint256()}",` +
      `"priceVolumeUsd":"${volume(rows)}","priceAmountUsd":"${rows.uint256()}",`
    : `"tradersBuy":"${count(rows)}","tradersSell":"${count(rows)}",`;
  const key = isPool ? poolRollupKey(jetton, pool, 'minute', start) : jettonRollupKey(jetton, grain, start);
  return { key, jetton, endSeconds, version: rows.uint256(), figures: traded + more };
}

/** The record that publishes a row. */
export function bucketRecord(dataset: BucketDataset, row: BucketRow, at: ReadAt, partitions: number): ProducedRecord {
  const published = {
    revision: row.version.toString(),
    isFinal: at.asOf !== undefined && row.endSeconds <= at.asOf,
    watermark: at.asOf === undefined ? null : formatInstant(at.asOf),
    computedAt: new Date(at.nowMs).toISOString(),
  };
  const value = `{${row.figures}${JSON.stringify(published).slice(1)}`;
  return recordOf(dataset, row.key, row.jetton, published, value, partitions);
}

const eventHeaders = new Map<RollupDataset, Readonly<Record<string, Buffer>>>();

/** Headers that are the same for all records of a dataset, as bytes: they are written far more often than made. */
function sharedHeaders(dataset: RollupDataset): Readonly<Record<string, Buffer>> {
  const known = eventHeaders.get(dataset);
  if (known !== undefined) return known;
  const [one, other] = ['a', 'b'].map((text) =>
    rollupEventHeaders(dataset, text, { revision: text, isFinal: false, computedAt: text }),
  );
  const shared = Object.entries(one ?? {}).filter(([name, text]) => other?.[name] === text);
  const bytes = Object.fromEntries(shared.map(([name, text]) => [name, Buffer.from(text)]));
  eventHeaders.set(dataset, bytes);
  return bytes;
}

/** A record of any dataset; `value` is its JSON. */
export function recordOf(
  dataset: RollupDataset,
  key: string,
  jetton: string,
  published: { readonly revision: string; readonly isFinal: boolean; readonly computedAt: string },
  value: string,
  partitions: number,
): ProducedRecord {
  return {
    key,
    value,
    headers: { ...rollupEventHeaders(dataset, key, published), ...sharedHeaders(dataset) },
    partition: rollupPartitionOf(jetton, partitions),
    timestampMs: Date.parse(published.computedAt),
  };
}
