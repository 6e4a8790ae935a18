-- The ledger: one row per leg of a trade, the truth that everything else is computed from.
-- Equal versions mean equal content, so a repeated message replaces itself. Retractions stay as rows with deleted = 1:
-- a bucket's version is the sum of its rows' versions and must never fall.
CREATE TABLE IF NOT EXISTS jetton_legs_v1
(
    minute            DateTime('UTC') CODEC(Delta, LZ4),
    jetton            String,
    pool              String COMMENT 'empty: the trade named no pool',
    event_id          FixedString(64) COMMENT 'hex SHA-256 of the identity fields' CODEC(ZSTD(1)),
    side              Enum8('buy' = 1, 'sell' = 2),
    event_time        DateTime('UTC') CODEC(Delta, LZ4),
    counter_asset     String COMMENT 'ton, or the raw address of the other jetton',
    amount            UInt128 COMMENT 'raw units of the jetton',
    counter_amount    UInt128 COMMENT 'raw units of the counter asset',
    volume_usd        Nullable(Decimal(76, 18)),
    volume_ton        Nullable(Decimal(76, 18)),
    trader            String COMMENT 'empty: unknown',
    project           LowCardinality(String),
    tx_hash           FixedString(64) CODEC(ZSTD(1)),
    revision          UInt32,
    deleted           UInt8,
    is_trade          UInt8 COMMENT 'this content is a trade: not deleted, two assets, both amounts positive',
    record_time       DateTime64(3, 'UTC'),
    version           UInt256
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(minute)
ORDER BY (minute, jetton, pool, event_id, side)
SETTINGS non_replicated_deduplication_window = 0;

-- Which buckets a batch of the feed touched. It names the buckets to recompute and tells the leader what changed since
-- its last snapshot. Rows are dropped by whole days of the writer's clock once no leader can need them.
CREATE TABLE IF NOT EXISTS touched_buckets_v1
(
    kafka_partition   UInt32,
    last_offset       UInt64 COMMENT 'last offset of the batch',
    jetton            String,
    minute            DateTime('UTC'),
    pool              String,
    written_on        Date
)
ENGINE = ReplacingMergeTree
PARTITION BY written_on
ORDER BY (kafka_partition, last_offset, jetton, minute, pool)
SETTINGS non_replicated_deduplication_window = 0;

-- A row is acknowledged here before a rebuild begins; every recomputation reads the newest epoch in its own statement.
CREATE TABLE IF NOT EXISTS rebuild_epochs_v1
(
    epoch             UInt64,
    started_at        DateTime('UTC'),
    reason            String
)
ENGINE = MergeTree
ORDER BY epoch;
