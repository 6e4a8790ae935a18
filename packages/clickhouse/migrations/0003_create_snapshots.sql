-- Snapshots: the figures of all windows at an instant, a function of (ledger, instant). Each term of leadership writes
-- into a partition of its own, so that a former leader can never disturb its successor; a term's first snapshot is full.
-- version = calculated_at << 64 | term << 32 | sequence. A row counts once a marker of its step and term with the same
-- or a greater version exists. Rows of one key alternate between two slots, so that the newest marked row survives
-- until its successor is marked.
CREATE TABLE IF NOT EXISTS jetton_statistics_v1
(
    term              UInt32,
    jetton            String,
    step              Enum8('short' = 1, 'mid' = 2, 'long' = 3),
    slot              UInt8,
    version           UInt128,
    known             UInt8 COMMENT '0: all trades of the jetton were retracted',
    windows           Array(Tuple(
        window String,
        transactions_buy_current UInt64, transactions_buy_previous UInt64,
        transactions_sell_current UInt64, transactions_sell_previous UInt64,
        traders_current UInt64, traders_previous UInt64,
        traders_buy_current UInt64, traders_buy_previous UInt64,
        traders_sell_current UInt64, traders_sell_previous UInt64,
        volume_usd_buy_current Decimal(76, 18), volume_usd_buy_previous Decimal(76, 18),
        volume_usd_sell_current Decimal(76, 18), volume_usd_sell_previous Decimal(76, 18),
        volume_ton_buy_current Decimal(76, 18), volume_ton_buy_previous Decimal(76, 18),
        volume_ton_sell_current Decimal(76, 18), volume_ton_sell_previous Decimal(76, 18),
        price_ton_current Tuple(value String, decimals UInt8),
        price_ton_previous Tuple(value String, decimals UInt8),
        price_usd_current Tuple(value String, decimals UInt8),
        price_usd_previous Tuple(value String, decimals UInt8))),
    INDEX version_range version TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY term
ORDER BY (jetton, step, slot)
SETTINGS non_replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS market_statistics_v1
(
    term              UInt32,
    jetton            String,
    pool              String,
    step              Enum8('short' = 1, 'mid' = 2, 'long' = 3),
    slot              UInt8,
    version           UInt128,
    known             UInt8,
    counterpart       String COMMENT 'the other asset of the pool that the price is in; empty: none yet',
    windows           Array(Tuple(
        window String,
        transactions_current UInt64, transactions_previous UInt64,
        traders_current UInt64, traders_previous UInt64,
        volume_usd_current Decimal(76, 18), volume_usd_previous Decimal(76, 18),
        price_counterpart_current Tuple(value String, decimals UInt8),
        price_counterpart_previous Tuple(value String, decimals UInt8))),
    INDEX version_range version TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY term
ORDER BY (jetton, pool, step, slot)
SETTINGS non_replicated_deduplication_window = 0;

-- Inserted after the rows of a snapshot are acknowledged: publishes them.
CREATE TABLE IF NOT EXISTS snapshot_markers_v1
(
    term              UInt32,
    step              Enum8('short' = 1, 'mid' = 2, 'long' = 3),
    version           UInt128,
    calculated_at     DateTime('UTC'),
    as_of             DateTime('UTC') COMMENT 'T when the snapshot was taken',
    row_count         UInt64,
    input_position    UInt64 COMMENT 'sum over the partitions of the next offset whose trades the snapshot holds',
    marked_on         Date
)
ENGINE = ReplacingMergeTree
PARTITION BY marked_on
ORDER BY (term, step, version)
SETTINGS non_replicated_deduplication_window = 0;

-- One row per term of leadership, acknowledged before its first snapshot.
CREATE TABLE IF NOT EXISTS snapshot_terms_v1
(
    term              UInt32,
    clock             String COMMENT 'wall, event or fixed:<instant>; snapshots of another clock are not read',
    leader            String,
    started_at        DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY term;

-- What /v1/status tells of the inputs, written by the leader once a second.
CREATE TABLE IF NOT EXISTS input_status_v1
(
    topic             String,
    status            String COMMENT 'JSON, InputStatus of the contracts',
    as_of             DateTime('UTC') COMMENT 'T, or the epoch where there is none yet',
    version           UInt64 COMMENT 'milliseconds of the writing leader, with its term above bit 48'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY topic;
