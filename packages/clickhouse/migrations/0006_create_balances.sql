-- The ledger of the balances topic: one row per message, each with its own bytes, since messages of one instant are
-- ordered by their bytes. A repeated message replaces itself.
CREATE TABLE IF NOT EXISTS jetton_balance_changes_v1
(
    asset             String COMMENT 'raw address of the jetton',
    shard             UInt8 COMMENT 'first hex digit of the owner''s account id',
    owner             String,
    lt                UInt64,
    record_time       DateTime64(3, 'UTC'),
    value_hash        FixedString(32) COMMENT 'hex, first 128 bits of the SHA-256 of the message' CODEC(ZSTD(1)),
    amount            UInt256 COMMENT 'raw units',
    timestamp_s       UInt32,
    value             String COMMENT 'the message' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(record_time)
ORDER BY (asset, shard, owner, lt, record_time, value_hash)
SETTINGS non_replicated_deduplication_window = 0, index_granularity = 1024;

-- The newest balance of each owner, recomputed from the ledger's rows of one instant: the greatest lt wins, then the
-- later record, then the greater bytes. version = lt << 64 | record time in ms << 16 | messages of that instant: it
-- rises with every change of content, whoever writes, and the sum over a shard stays far below bit 192.
CREATE TABLE IF NOT EXISTS jetton_balances_v1
(
    asset             String,
    shard             UInt8,
    owner             String,
    amount            UInt256,
    lt                UInt64,
    timestamp_s       UInt32,
    record_time       DateTime64(3, 'UTC'),
    version           UInt256
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (asset, shard, owner)
SETTINGS non_replicated_deduplication_window = 0;

-- What the owners of one shard hold together, overwritten as a whole from one scan of jetton_balances_v1. version = sum
-- of the versions of its rows, and the rebuild epoch at bit 192.
CREATE TABLE IF NOT EXISTS jetton_holder_buckets_v1
(
    asset             String,
    shard             UInt8,
    holders           UInt64 COMMENT 'owners with a balance above 0, burn addresses excluded',
    balance_sum       UInt256 COMMENT 'of all owners',
    burned_sum        UInt256 COMMENT 'of the zero address of each workchain and of BURN_ADDRESSES',
    top_ten           Array(UInt256) COMMENT 'greatest balances above 0 that are not of burn addresses, descending',
    newest_timestamp_s UInt32,
    version           UInt256,
    written_at        DateTime64(3, 'UTC') COMMENT 'the writer''s clock; followers read again what is younger than they know'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (asset, shard)
SETTINGS non_replicated_deduplication_window = 0;
