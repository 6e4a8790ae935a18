import { defineCommand } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { bucketCounterparts, figureColumns, priceFigures, tradeFigures } from './bucket-figures.js';

/** What prices rest on. */
const priceParams = { quoteAssets: z.array(z.string()), priceMinTradeUsd: z.string() };

/** The batches whose buckets are recomputed: pairs of partition and last offset, and the minutes they span. */
const batchParams = {
  partitions: z.array(z.int()).min(1),
  // bigint: the client writes texts in an array with quotes, which no integer type reads.
  lastOffsets: z.array(z.bigint()).min(1),
  fromMinute: z.int(),
  toMinute: z.int(),
};

/** Minutes in [from, to), Unix seconds; of one jetton, or of all where it is empty. */
const rangeParams = { from: z.int(), to: z.int(), jetton: z.string() };

// Figures and version come from one scan of one table; the epoch is read inside the statement, never cached, and compared
// around it (EpochGuard). Partitions of the ledger are days and hold whole buckets, so FINAL need not look across them.
const touched = (columns: string) => `(${columns}) IN (
    SELECT ${columns} FROM touched_buckets_v1
    WHERE (kafka_partition, last_offset) IN arrayZip({partitions: Array(UInt32)}, {lastOffsets: Array(UInt64)}))
  AND minute >= {fromMinute: DateTime('UTC')} AND minute <= {toMinute: DateTime('UTC')}`;
const inRange = `minute >= {from: DateTime('UTC')} AND minute < {to: DateTime('UTC')}
  AND ({jetton: String} = '' OR jetton = {jetton: String})`;
const epoch = 'bitShiftLeft(toUInt256((SELECT max(epoch) FROM rebuild_epochs_v1)), 192)';
const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_partitions_per_insert_block = 0';

const jettonMinutes = (where: string) => `INSERT INTO jetton_trades_per_minute_v1
          (minute, jetton, ${figureColumns.jetton}, version)
        SELECT minute, jetton, ${tradeFigures.jetton},
          sum(version) + ${epoch} AS bucket_version
        FROM jetton_legs_v1 FINAL
        WHERE ${where}
        GROUP BY minute, jetton
        ${settings}`;

const poolMinutes = (where: string) => `INSERT INTO pool_trades_per_minute_v1
          (minute, jetton, pool, ${figureColumns.pool},
           price_volume_ton, price_amount_ton, price_volume_usd, price_amount_usd, counterparts, version)
        SELECT minute, jetton, pool, ${figureColumns.pool},
          price_volume_ton, price_amount_ton, price_volume_usd, price_amount_usd, counterparts, bucket_version
        FROM (
          SELECT minute, jetton, pool, ${tradeFigures.pool}, ${priceFigures}, ${bucketCounterparts},
            sum(version) + ${epoch} AS bucket_version
          FROM jetton_legs_v1 FINAL
          WHERE ${where}
          GROUP BY minute, jetton, pool
        )
        ${settings}`;

/** Replaces the touched buckets jetton × minute by what the ledger says now. */
export const recomputeJettonMinutes = defineCommand({
  name: 'recomputeJettonMinutes',
  sql: jettonMinutes(touched('minute, jetton')),
  params: z.object(batchParams),
});

/** Replaces the touched buckets jetton × pool × minute, with the inputs of prices. */
export const recomputePoolMinutes = defineCommand({
  name: 'recomputePoolMinutes',
  sql: poolMinutes(touched('minute, jetton, pool')),
  params: z.object({ ...batchParams, ...priceParams }),
});

/** Replaces all buckets jetton × minute of a range that have a row in the ledger. */
export const rebuildJettonMinutes = defineCommand({
  name: 'rebuildJettonMinutes',
  sql: jettonMinutes(inRange),
  params: z.object(rangeParams),
});

/** Replaces all buckets jetton × pool × minute of a range that have a row in the ledger. */
export const rebuildPoolMinutes = defineCommand({
  name: 'rebuildPoolMinutes',
  sql: poolMinutes(inRange),
  params: z.object({ ...rangeParams, ...priceParams }),
});
