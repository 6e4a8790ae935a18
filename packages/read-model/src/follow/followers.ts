import type { ClickHouseReader } from '@jetton-analytics/clickhouse';
import { firstTradeSource } from '../first-trades/first-trades.query.js';
import { holderSource } from '../holders/holders.query.js';
import { Interner } from '../interner.js';
import { labelSource } from '../labels/label-table.js';
import { metadataEntry, metadataSource } from '../metadata/metadata.query.js';
import { poolStateSource } from '../pools/pool-states.query.js';
import { rateSource } from '../rates/rate-table.js';
import type { ReadModelTables } from '../read-model-tables.js';
import { clickHouseSource } from '../snapshots/clickhouse-source.js';
import { SnapshotFollower } from '../snapshots/snapshot-follower.js';
import type { PostgresReader } from '../stores/postgres-reader.js';
import { ChangeFollower } from './change-numbers.js';
import { WrittenAtFollower } from './written-at.js';

/** One round of following one source; rejects while its store is away. */
export interface Follower {
  readonly name: string;
  readonly store: 'ClickHouse' | 'PostgreSQL';
  readonly followOnce: () => Promise<void>;
}

export interface FollowersOptions {
  readonly clickhouse: ClickHouseReader;
  readonly postgres: PostgresReader;
  /** Lower-case hex. */
  readonly standardCodeHashes: readonly string[];
}

const nowMs = () => performance.now();

/** What keeps the tables up with the stores, one follower per source. */
export function createFollowers(
  tables: ReadModelTables,
  { clickhouse, postgres, standardCodeHashes }: FollowersOptions,
): Follower[] {
  const interner = new Interner();
  const hashes = new Set(standardCodeHashes);
  const pools = new WrittenAtFollower(poolStateSource(clickhouse, interner), tables.pools.apply, nowMs);
  const holders = new WrittenAtFollower(holderSource(clickhouse, interner), tables.holders.apply, nowMs);
  const firstTrades = new WrittenAtFollower(firstTradeSource(clickhouse, interner), tables.firstTrades.apply, nowMs);
  const snapshots = new SnapshotFollower(clickHouseSource(clickhouse, { interner }), tables.snapshots, {
    // A first trade is written before any snapshot holds it: read before that is shown, createdAt is right at once.
    beforeShort: firstTrades.followOnce,
    nowMs,
  });
  const metadata = new ChangeFollower(metadataSource(postgres), (rows) => {
    for (const { row } of rows) tables.metadata.set(interner.of(row.address), metadataEntry(row, hashes));
  });
  const labels = new ChangeFollower(labelSource(postgres), tables.labels.apply);
  const rates = new ChangeFollower(rateSource(postgres), (rows) =>
    tables.rates.apply(rows.flatMap((row) => row.rates)),
  );
  return [
    { name: 'snapshots', store: 'ClickHouse', followOnce: snapshots.followOnce },
    { name: 'pools', store: 'ClickHouse', followOnce: pools.followOnce },
    { name: 'holders', store: 'ClickHouse', followOnce: holders.followOnce },
    { name: 'first trades', store: 'ClickHouse', followOnce: firstTrades.followOnce },
    { name: 'metadata', store: 'PostgreSQL', followOnce: metadata.followOnce },
    { name: 'labels', store: 'PostgreSQL', followOnce: labels.followOnce },
    { name: 'rates', store: 'PostgreSQL', followOnce: rates.followOnce },
  ];
}
