import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { InputStatus, Step } from '@jetton-analytics/common';
import { z } from 'zod';

const legs = defineQuery({
  name: 'legsOfTransactions',
  sql: `SELECT tx_hash, count() AS legs FROM jetton_legs_v1 FINAL
        WHERE tx_hash IN {hashes: Array(String)} GROUP BY tx_hash`,
  params: z.object({ hashes: z.array(z.string()) }),
  row: z.object({ tx_hash: z.string(), legs: z.string() }),
});

/** Legs in the ledger per transaction, of those given by their hash in hex; absent: none. */
export async function legsOfTransactions(store: ClickHouseReader, hashes: string[]): Promise<Map<string, number>> {
  const rows = await store.query(legs, { hashes });
  return new Map(rows.map((row) => [row.tx_hash, Number(row.legs)]));
}

/** Legs of the ledger, and in the minute rollups the transactions they make: equal where both are complete. */
export const ledgerTotals = defineQuery({
  name: 'ledgerTotals',
  sql: `SELECT
          (SELECT toInt32(count()) FROM jetton_legs_v1 FINAL) AS legs,
          (SELECT toInt32(sum(transactions_buy + transactions_sell)) FROM jetton_trades_per_minute_v1 FINAL) AS jetton_transactions,
          (SELECT toInt32(sum(transactions_buy + transactions_sell)) FROM pool_trades_per_minute_v1 FINAL) AS pool_transactions`,
  params: z.object({}),
  row: z.object({ legs: z.int(), jetton_transactions: z.int(), pool_transactions: z.int() }),
});

const statuses = defineQuery({
  name: 'inputStatuses',
  sql: 'SELECT status, toUnixTimestamp(as_of) AS as_of_s FROM input_status_v2 FINAL WHERE topic = {topic: String}',
  params: z.object({ topic: z.string() }),
  row: z.object({ status: z.string(), as_of_s: z.int() }),
});

/** What the leader wrote last of the topic, and its T; undefined before the first time. */
export async function inputStatus(
  store: ClickHouseReader,
  topic: string,
): Promise<{ readonly status: InputStatus; readonly asOf: number } | undefined> {
  const [row] = await store.query(statuses, { topic });
  return row && { status: InputStatus.parse(JSON.parse(row.status)), asOf: row.as_of_s };
}

/** Published snapshots, oldest first. `position`: records of the feed that each tells of. */
export const markers = defineQuery({
  name: 'markers',
  sql: `SELECT term, step, toString(version) AS snapshot, toUnixTimestamp(calculated_at) AS calculated_at_s,
          toInt32(input_position) AS position
        FROM snapshot_markers_v1 FINAL ORDER BY version`,
  params: z.object({}),
  row: z.object({ term: z.int(), step: Step, snapshot: z.string(), calculated_at_s: z.int(), position: z.int() }),
});

export const terms = defineQuery({
  name: 'terms',
  sql: 'SELECT term, clock, leader FROM snapshot_terms_v1 ORDER BY term',
  params: z.object({}),
  row: z.object({ term: z.int(), clock: z.string(), leader: z.string() }),
});
