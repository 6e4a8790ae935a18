import { defineCommand } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import { bucketCounterparts, figureColumns, priceFigures, tradeFigures } from './bucket-figures.js';

/** The batches whose buckets are recomputed: pairs of partition and last offset, and the minutes they span. */
const params = z.object({
  partitions: z.array(z.int()).min(1),
  // bigint: the client writes texts in an array with quotes, which no integer type reads.
  lastOffsets: z.array(z.bigint()).min(1),
  fromMinute: z.int(),
  toMinute: z.int(),
  quoteAssets: z.array(z.string()),
  priceMinTradeUsd: z.string(),
});

// Figures and version come from one scan of one table; the epoch is read inside the statement, never cached
// (docs/adr/0002). Partitions of the ledger are days and hold whole buckets, so FINAL need not look across them.
const touched = (columns: string) => `(${columns}) IN (
    SELECT ${columns} FROM touched_buckets_v1
    WHERE (kafka_partition, last_offset) IN arrayZip({partitions: Array(UInt32)}, {lastOffsets: Array(UInt64)}))
  AND minute >= {fromMinute: DateTime('UTC')} AND minute <= {toMinute: DateTime('UTC')}`;
const epoch = 'bitShiftLeft(toUInt256((SELECT max(epoch) FROM rebuild_epochs_v1)), 192)';
const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1, max_partitions_per_insert_block = 0';

/** Replaces the touched buckets jetton × minute by what the ledger says now. */
export const recomputeJettonMinutes = defineCommand({
  name: 'recomputeJettonMinutes',
  sql: `INSERT INTO jetton_trades_per_minute_v1
          (minute, jetton, ${figureColumns.jetton}, version)
        SELECT minute, jetton, ${tradeFigures.jetton},
          sum(version) + ${epoch} AS bucket_version
        FROM jetton_legs_v1 FINAL
        WHERE ${touched('minute, jetton')}
        GROUP BY minute, jetton
        ${settings}`,
  params: params.omit({ quoteAssets: true, priceMinTradeUsd: true }),
});

/** Replaces the touched buckets jetton × pool × minute, with the inputs of prices. */
export const recomputePoolMinutes = defineCommand({
  name: 'recomputePoolMinutes',
  sql: `INSERT INTO pool_trades_per_minute_v1
          (minute, jetton, pool, ${figureColumns.pool},
           price_volume_ton, price_amount_ton, price_volume_usd, price_amount_usd, counterparts, version)
        SELECT minute, jetton, pool, ${figureColumns.pool},
          price_volume_ton, price_amount_ton, price_volume_usd, price_amount_usd, counterparts, bucket_version
        FROM (
          SELECT minute, jetton, pool, ${tradeFigures.pool}, ${priceFigures}, ${bucketCounterparts},
            sum(version) + ${epoch} AS bucket_version
          FROM jetton_legs_v1 FINAL
          WHERE ${touched('minute, jetton, pool')}
          GROUP BY minute, jetton, pool
        )
        ${settings}`,
  params,
});
