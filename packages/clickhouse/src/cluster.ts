import type { ClickHouseSettings as EngineSettings } from '@clickhouse/client';

/**
 * What the rows of a table are spread over the shards by, so that whole buckets lie together; `everywhere`: a small table
 * that every node has whole, since statements read it in their own scan.
 */
type Spread = 'jetton' | 'asset' | 'pool' | 'everywhere';

const spreads: Readonly<Record<string, Spread>> = {
  jetton_legs_v1: 'jetton',
  touched_buckets_v1: 'jetton',
  jetton_trades_per_minute_v1: 'jetton',
  jetton_trades_per_hour_v1: 'jetton',
  jetton_trades_per_day_v1: 'jetton',
  pool_trades_per_minute_v1: 'jetton',
  pool_trades_per_hour_v1: 'jetton',
  pool_trades_per_day_v1: 'jetton',
  jetton_statistics_v1: 'jetton',
  market_statistics_v1: 'jetton',
  jetton_first_trades_v1: 'jetton',
  kept_markets_v1: 'jetton',
  kept_price_points_v1: 'jetton',
  kept_counting_minutes_v1: 'jetton',
  kept_last_trades_v1: 'jetton',
  jetton_balance_changes_v1: 'asset',
  jetton_balances_v1: 'asset',
  jetton_holder_buckets_v1: 'asset',
  pool_state_changes_v1: 'pool',
  pool_states_v1: 'pool',
  schema_migrations_v1: 'everywhere',
  rebuild_epochs_v1: 'everywhere',
  snapshot_markers_v1: 'everywhere',
  snapshot_terms_v1: 'everywhere',
  input_status_v1: 'everywhere',
  input_status_v2: 'everywhere',
  pinned_orders_v1: 'everywhere',
};

/** Name of the table that holds a shard's rows, behind the Distributed table that statements name. */
const shardTable = (table: string) => `${table}_shard`;

function spreadOf(table: string): Spread {
  const spread = spreads[table];
  if (spread === undefined) throw new Error(`${table}: say in cluster.ts how a cluster spreads it`);
  return spread;
}

export interface Cluster {
  /** Name under `remote_servers` of the servers. */
  readonly name: string;
  readonly database: string;
}

const createTable = /^CREATE TABLE IF NOT EXISTS (\w+)(\s*\([\s\S]*\)\s*)ENGINE = (\w+)(?:\(([^)]*)\))?([\s\S]*)$/;
const plainWindow = 'non_replicated_deduplication_window';

/**
 * The statement of a migration as a cluster takes it: tables replicated and ON CLUSTER, those that are spread with a
 * Distributed table under the name that all statements use. Pure. Throws for a table it does not know, and for a
 * statement of a kind that no migration had yet.
 */
export function clusterMigration(statement: string, { name, database }: Cluster): string[] {
  const on = `ON CLUSTER \`${name}\``;
  const created = createTable.exec(statement);
  if (created !== null) {
    const [, table = '', columns = '', engine = '', parameters = '', rest = ''] = created;
    const spread = spreadOf(table);
    const isEverywhere = spread === 'everywhere';
    const own = isEverywhere ? table : shardTable(table);
    // One replica set of all nodes, or one per shard; {shard} and {replica} are the macros of the servers.
    const path = `/clickhouse/tables/${isEverywhere ? 'everywhere' : '{shard}'}/${database}/${own}`;
    const replica = isEverywhere ? '{shard}-{replica}' : '{replica}';
    const given = [`'${path}'`, `'${replica}'`, ...(parameters.trim() === '' ? [] : [parameters.trim()])].join(', ');
    const settings = rest.replace(plainWindow, 'replicated_deduplication_window');
    const kept = `CREATE TABLE IF NOT EXISTS ${own} ${on}${columns}ENGINE = Replicated${engine}(${given})${settings}`;
    if (isEverywhere) return [kept];
    const key = `cityHash64(${spread})`;
    const face = `ENGINE = Distributed('${name}', '${database}', '${own}', ${key})`;
    return [kept, `CREATE TABLE IF NOT EXISTS ${table} ${on} AS ${own}\n${face}`];
  }
  const changed = /^(ALTER TABLE|DROP TABLE IF EXISTS) (\w+)([\s\S]*)$/.exec(statement);
  if (changed !== null) {
    const [, verb = '', table = '', rest = ''] = changed;
    if (spreadOf(table) === 'everywhere') {
      // A replicated table hands an ALTER on by itself; a DROP is of one node.
      return [verb === 'ALTER TABLE' ? statement : `${verb} ${table} ${on}${rest} SYNC`];
    }
    return [shardTable(table), table].map((one) => `${verb} ${one} ${on}${rest}`);
  }
  if (statement.startsWith('INSERT INTO ')) return [statement];
  throw new Error(`a cluster does not know what to do with: ${statement.slice(0, 60)}`);
}

const partsTable = /\bFROM system\.parts\b/g;
const alterAtRuntime = /^ALTER TABLE (\w+)/;

/**
 * A statement of the apps as a cluster takes it. All name the Distributed tables and stay as they are, but for those that
 * look at or drop partitions, which only the tables behind have. Pure.
 */
export function clusterStatement(sql: string, { name }: Cluster): string {
  const altered = alterAtRuntime.exec(sql);
  if (altered?.[1] !== undefined) {
    if (spreadOf(altered[1]) === 'everywhere') return sql;
    return sql.replace(alterAtRuntime, `ALTER TABLE ${shardTable(altered[1])} ON CLUSTER \`${name}\``);
  }
  const parts = `(SELECT * REPLACE (replaceRegexpOne(table, '_shard$', '') AS table)
    FROM clusterAllReplicas('${name}', system.parts))`;
  return sql.replaceAll(partsTable, () => `FROM ${parts}`);
}

/**
 * What makes a read see every row that was acknowledged before it, whichever node it asks, and an acknowledgement mean
 * that a majority of the replicas has the rows.
 */
export const clusterSettings: EngineSettings = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
  // An INSERT into a Distributed table returns once the shards have acknowledged it.
  distributed_foreground_insert: 1,
  // Another replica, where the nearest lacks what a majority has.
  prefer_localhost_replica: 0,
  // A table within IN or JOIN is read whole: not all that are joined are spread by the same column.
  distributed_product_mode: 'global',
  // A shard that is away is an error and never a hole in a sum.
  skip_unavailable_shards: 0,
  // A mutation or a DROP PARTITION is done when all replicas have done it.
  alter_sync: '2',
  mutations_sync: '2',
};
