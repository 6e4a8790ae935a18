import { defineInsert } from '@jetton-analytics/clickhouse';
import { type BalanceState, valueHashOf } from '@jetton-analytics/feed';
import { instantText } from '../inputs/instant-text.js';

/** A row of the balances' ledger; integers beyond 2^53 are text. */
export type BalanceRow = readonly [
  asset: string,
  shard: number,
  owner: string,
  lt: string,
  recordTime: string,
  valueHash: string,
  amount: string,
  timestampS: number,
  value: string,
];

export const insertBalances = defineInsert<BalanceRow>({
  name: 'insertBalances',
  table: 'jetton_balance_changes_v1',
  columns: ['asset', 'shard', 'owner', 'lt', 'record_time', 'value_hash', 'amount', 'timestamp_s', 'value'],
});

export function balanceRow(state: BalanceState): BalanceRow {
  return [
    state.asset,
    state.shard,
    state.owner,
    state.lt.toString(),
    instantText(state.recordTimestampMs),
    valueHashOf(state.value),
    state.amount.toString(),
    state.timestamp,
    state.value.toString('utf8'),
  ];
}
