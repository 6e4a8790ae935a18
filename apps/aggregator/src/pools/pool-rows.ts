import { defineInsert } from '@jetton-analytics/clickhouse';
import { type PoolState, valueHashOf } from '@jetton-analytics/feed';
import { instantText } from '../inputs/instant-text.js';

const columns = [
  'pool',
  'last_updated_s',
  'record_time',
  'value_hash',
  'project',
  'pool_version',
  'discovered_at_s',
  'left_asset',
  'right_asset',
  'reserves_left',
  'reserves_right',
  'total_supply',
  'tvl_usd',
  'tvl_ton',
  'is_liquid',
  'lp_fee',
  'protocol_fee',
  'referral_fee',
  'version',
  'value',
] as const;

/** A row of the pools' ledger in the order of its columns; integers beyond 2^53 and decimals are text. */
type PoolRow = readonly (string | number | null)[];

export const insertPoolStates = defineInsert<PoolRow>({
  name: 'insertPoolStates',
  table: 'pool_state_changes_v1',
  columns,
});

const textOf = (amount: bigint | null) => amount?.toString() ?? null;

export function poolRow(state: PoolState): PoolRow {
  return [
    state.pool,
    state.lastUpdated,
    instantText(state.recordTimestampMs),
    valueHashOf(state.value),
    state.project,
    state.poolVersion,
    state.discoveredAt ?? 0,
    state.leftAsset,
    state.rightAsset,
    textOf(state.reservesLeft),
    textOf(state.reservesRight),
    textOf(state.totalSupply),
    state.tvlUsd,
    state.tvlTon,
    state.isLiquid === null ? null : Number(state.isLiquid),
    state.lpFee,
    state.protocolFee,
    state.referralFee,
    ((BigInt(state.lastUpdated) << 64n) | (BigInt(state.recordTimestampMs) << 16n)).toString(),
    state.value.toString('utf8'),
  ];
}
