import { type ClickHouseWriter, defineInsert } from '@jetton-analytics/clickhouse';

const insertPools = defineInsert<readonly unknown[]>({
  name: 'insertPools',
  table: 'pool_states_v1',
  columns: [
    'pool',
    'project',
    'pool_version',
    'discovered_at_s',
    'left_asset',
    'right_asset',
    'reserves_left',
    'reserves_right',
    'tvl_usd',
    'tvl_ton',
    'last_updated_s',
    'is_liquid',
    'record_time',
    'version',
    'written_at',
  ],
});
const insertHolders = defineInsert<readonly unknown[]>({
  name: 'insertHolders',
  table: 'jetton_holder_buckets_v1',
  columns: [
    'asset',
    'shard',
    'holders',
    'balance_sum',
    'burned_sum',
    'top_ten',
    'newest_timestamp_s',
    'version',
    'written_at',
  ],
});
const insertFirstTrades = defineInsert<readonly unknown[]>({
  name: 'insertFirstTrades',
  table: 'jetton_first_trades_v1',
  columns: ['jetton', 'first_trade_s', 'written_at'],
});

const milliseconds = (ms: number): string => (ms / 1_000).toFixed(3);

export interface PoolSeed {
  readonly pool: string;
  readonly left: string;
  readonly right: string;
  readonly reserves: readonly [left: string | null, right: string | null];
  readonly tvlUsd?: string;
  readonly tvlTon?: string;
  readonly isLiquid?: 0 | 1;
  readonly lastUpdated: number;
  readonly version: number;
  readonly writtenAtMs: number;
}

/** Writes states as the aggregator does. */
export async function seedPools(writer: ClickHouseWriter, seeds: readonly PoolSeed[]): Promise<void> {
  await writer.insert(
    insertPools,
    seeds.map((seed) => [
      seed.pool,
      'dedust',
      '',
      0,
      seed.left,
      seed.right,
      ...seed.reserves,
      seed.tvlUsd ?? null,
      seed.tvlTon ?? null,
      seed.lastUpdated,
      seed.isLiquid ?? null,
      '1700000000.000',
      String(seed.version),
      milliseconds(seed.writtenAtMs),
    ]),
  );
}

export interface HolderSeed {
  readonly asset: string;
  readonly shard: number;
  readonly holders: string;
  readonly balances: string;
  readonly burned: string;
  readonly topTen: readonly string[];
  readonly newest: number;
  readonly version: number;
  readonly writtenAtMs: number;
}

export async function seedHolders(writer: ClickHouseWriter, seeds: readonly HolderSeed[]): Promise<void> {
  await writer.insert(
    insertHolders,
    seeds.map((seed) => [
      seed.asset,
      seed.shard,
      seed.holders,
      seed.balances,
      seed.burned,
      seed.topTen,
      seed.newest,
      String(seed.version),
      milliseconds(seed.writtenAtMs),
    ]),
  );
}

export async function seedFirstTrades(
  writer: ClickHouseWriter,
  seeds: readonly (readonly [jetton: string, firstTrade: number, writtenAtMs: number])[],
): Promise<void> {
  await writer.insert(
    insertFirstTrades,
    seeds.map(([jetton, firstTrade, writtenAtMs]) => [jetton, firstTrade, milliseconds(writtenAtMs)]),
  );
}
