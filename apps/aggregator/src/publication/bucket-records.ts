import type { RowBinaryReader } from '@jetton-analytics/clickhouse';
import {
  jettonRollupKey,
  poolRollupKey,
  type RollupDataset,
  rollupEventHeaders,
  type RollupGrain,
  rollupGrainSeconds,
  rollupPartitionOf,
  type RollupRecord,
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
  readonly figures: Readonly<Record<string, string>>;
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

function readRow(dataset: BucketDataset, rows: RowBinaryReader): BucketRow {
  const grain = grainOf[dataset];
  const isPool = dataset === 'poolMinute';
  const jetton = rows.ascii();
  const pool = isPool ? rows.ascii() : '';
  const start = rows.uint32();
  const endSeconds = start + rollupGrainSeconds[grain];
  const figures = {
    grain,
    jetton,
    ...(isPool && { pool }),
    windowStart: formatInstant(start),
    windowEnd: formatInstant(endSeconds),
    transactionsBuy: count(rows),
    transactionsSell: count(rows),
    volumeUsdBuy: volume(rows),
    volumeUsdSell: volume(rows),
    volumeTonBuy: volume(rows),
    volumeTonSell: volume(rows),
    traders: count(rows),
    ...(isPool
      ? {
          priceVolumeTon: volume(rows),
          priceAmountTon: rows.uint256().toString(),
          priceVolumeUsd: volume(rows),
          priceAmountUsd: rows.uint256().toString(),
        }
      : { tradersBuy: count(rows), tradersSell: count(rows) }),
  };
  const key = isPool ? poolRollupKey(jetton, pool, 'minute', start) : jettonRollupKey(jetton, grain, start);
  return { key, jetton, endSeconds, version: rows.uint256(), figures };
}

/** The record that publishes a row. */
export function bucketRecord(dataset: BucketDataset, row: BucketRow, at: ReadAt, partitions: number): ProducedRecord {
  const value = {
    ...row.figures,
    revision: row.version.toString(),
    isFinal: at.asOf !== undefined && row.endSeconds <= at.asOf,
    watermark: at.asOf === undefined ? null : formatInstant(at.asOf),
    computedAt: new Date(at.nowMs).toISOString(),
  };
  return recordOf(dataset, row.key, row.jetton, value, partitions);
}

/** A record of any dataset. */
export function recordOf<D extends RollupDataset>(
  dataset: D,
  key: string,
  jetton: string,
  value: Pick<RollupRecord<D>, 'revision' | 'isFinal' | 'computedAt'>,
  partitions: number,
): ProducedRecord {
  return {
    key,
    value: JSON.stringify(value),
    headers: rollupEventHeaders(dataset, key, value),
    partition: rollupPartitionOf(jetton, partitions),
    timestampMs: Date.parse(value.computedAt),
  };
}
