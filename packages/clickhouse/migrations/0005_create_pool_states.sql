-- The ledger of the pools topic, and its history: one row per message, each with its own bytes, since messages of one
-- instant are ordered by their bytes. A repeated message replaces itself. '' and null: not known.
CREATE TABLE IF NOT EXISTS pool_state_changes_v1
(
    pool              String,
    last_updated_s    UInt32 COMMENT '0: the message has none',
    record_time       DateTime64(3, 'UTC'),
    value_hash        FixedString(32) COMMENT 'hex, first 128 bits of the SHA-256 of the message' CODEC(ZSTD(1)),
    project           LowCardinality(String),
    pool_version      String,
    discovered_at_s   UInt32 COMMENT '0: unknown',
    left_asset        String COMMENT 'ton, or a raw address',
    right_asset       String,
    reserves_left     Nullable(UInt256) COMMENT 'raw units',
    reserves_right    Nullable(UInt256),
    total_supply      Nullable(UInt256) COMMENT 'shares of the pool, raw units',
    tvl_usd           Nullable(Decimal(76, 18)),
    tvl_ton           Nullable(Decimal(76, 18)),
    is_liquid         Nullable(UInt8),
    lp_fee            Nullable(String),
    protocol_fee      Nullable(String),
    referral_fee      Nullable(String),
    version           UInt256 COMMENT 'last_updated << 64 | record time in ms << 16',
    value             String COMMENT 'the message' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(toDateTime(last_updated_s, 'UTC'))
ORDER BY (pool, last_updated_s, record_time, value_hash)
SETTINGS non_replicated_deduplication_window = 0, index_granularity = 256;

-- The newest state of each pool, recomputed from the ledger's rows of one instant: the greatest last_updated wins, then
-- the later record, then the greater bytes. version = last_updated << 64 | record time in ms << 16 | messages of that
-- instant: it rises with every change of content, whoever writes.
CREATE TABLE IF NOT EXISTS pool_states_v1
(
    pool              String,
    project           LowCardinality(String),
    pool_version      String,
    discovered_at_s   UInt32 COMMENT '0: unknown',
    left_asset        String COMMENT 'ton, or a raw address; empty: unknown',
    right_asset       String,
    reserves_left     Nullable(UInt256),
    reserves_right    Nullable(UInt256),
    total_supply      Nullable(UInt256),
    tvl_usd           Nullable(Decimal(76, 18)),
    tvl_ton           Nullable(Decimal(76, 18)),
    last_updated_s    UInt32 COMMENT '0: the message had none',
    is_liquid         Nullable(UInt8) COMMENT 'null counts as liquid',
    lp_fee            Nullable(String),
    protocol_fee      Nullable(String),
    referral_fee      Nullable(String),
    record_time       DateTime64(3, 'UTC'),
    version           UInt256,
    written_at        DateTime64(3, 'UTC') COMMENT 'the writer''s clock; followers read again what is younger than they know'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY pool
SETTINGS non_replicated_deduplication_window = 0;
