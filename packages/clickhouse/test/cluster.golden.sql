-- 0001_create_legs.sql
CREATE TABLE IF NOT EXISTS jetton_legs_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_legs_v1_shard', '{replica}', version)
PARTITION BY toYYYYMMDD(minute)
ORDER BY (minute, jetton, pool, event_id, side)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_legs_v1 ON CLUSTER `main` AS jetton_legs_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_legs_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS touched_buckets_v1_shard ON CLUSTER `main`
(
    kafka_partition   UInt32,
    last_offset       UInt64 COMMENT 'last offset of the batch',
    jetton            String,
    minute            DateTime('UTC'),
    pool              String,
    written_on        Date
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/touched_buckets_v1_shard', '{replica}')
PARTITION BY written_on
ORDER BY (kafka_partition, last_offset, jetton, minute, pool)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS touched_buckets_v1 ON CLUSTER `main` AS touched_buckets_v1_shard
ENGINE = Distributed('main', 'jettons', 'touched_buckets_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS rebuild_epochs_v1 ON CLUSTER `main`
(
    epoch             UInt64,
    started_at        DateTime('UTC'),
    reason            String
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/everywhere/jettons/rebuild_epochs_v1', '{shard}-{replica}')
ORDER BY epoch;

-- 0002_create_rollups.sql
CREATE TABLE IF NOT EXISTS jetton_trades_per_minute_v1_shard ON CLUSTER `main`
(
    minute            DateTime('UTC') CODEC(Delta, LZ4),
    jetton            String,
    transactions_buy  UInt64,
    transactions_sell UInt64,
    volume_usd_buy    Decimal(76, 18),
    volume_usd_sell   Decimal(76, 18),
    volume_ton_buy    Decimal(76, 18),
    volume_ton_sell   Decimal(76, 18),
    traders           AggregateFunction(uniqExact, String),
    traders_buy       AggregateFunction(uniqExact, String),
    traders_sell      AggregateFunction(uniqExact, String),
    version           UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_trades_per_minute_v1_shard', '{replica}', version)
PARTITION BY toYYYYMMDD(minute)
ORDER BY (minute, jetton)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_trades_per_minute_v1 ON CLUSTER `main` AS jetton_trades_per_minute_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_trades_per_minute_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS jetton_trades_per_hour_v1_shard ON CLUSTER `main`
(
    hour              DateTime('UTC') CODEC(Delta, LZ4),
    jetton            String,
    transactions_buy  UInt64,
    transactions_sell UInt64,
    volume_usd_buy    Decimal(76, 18),
    volume_usd_sell   Decimal(76, 18),
    volume_ton_buy    Decimal(76, 18),
    volume_ton_sell   Decimal(76, 18),
    traders           AggregateFunction(uniqExact, String),
    traders_buy       AggregateFunction(uniqExact, String),
    traders_sell      AggregateFunction(uniqExact, String),
    version           UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_trades_per_hour_v1_shard', '{replica}', version)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, jetton)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_trades_per_hour_v1 ON CLUSTER `main` AS jetton_trades_per_hour_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_trades_per_hour_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS jetton_trades_per_day_v1_shard ON CLUSTER `main`
(
    day               DateTime('UTC') CODEC(Delta, LZ4),
    jetton            String,
    transactions_buy  UInt64,
    transactions_sell UInt64,
    volume_usd_buy    Decimal(76, 18),
    volume_usd_sell   Decimal(76, 18),
    volume_ton_buy    Decimal(76, 18),
    volume_ton_sell   Decimal(76, 18),
    traders           AggregateFunction(uniqExact, String),
    traders_buy       AggregateFunction(uniqExact, String),
    traders_sell      AggregateFunction(uniqExact, String),
    version           UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_trades_per_day_v1_shard', '{replica}', version)
PARTITION BY toYYYYMM(day)
ORDER BY (day, jetton)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_trades_per_day_v1 ON CLUSTER `main` AS jetton_trades_per_day_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_trades_per_day_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS pool_trades_per_minute_v1_shard ON CLUSTER `main`
(
    minute            DateTime('UTC') CODEC(Delta, LZ4),
    jetton            String,
    pool              String,
    transactions_buy  UInt64,
    transactions_sell UInt64,
    volume_usd_buy    Decimal(76, 18),
    volume_usd_sell   Decimal(76, 18),
    volume_ton_buy    Decimal(76, 18),
    volume_ton_sell   Decimal(76, 18),
    traders           AggregateFunction(uniqExact, String),
    traders_buy       AggregateFunction(uniqExact, String),
    traders_sell      AggregateFunction(uniqExact, String),
    price_volume_ton  Decimal(76, 18) COMMENT 'sum of volume_ton over the legs priced in ton',
    price_amount_ton  UInt256 COMMENT 'sum of raw jetton units over the legs priced in ton',
    price_volume_usd  Decimal(76, 18),
    price_amount_usd  UInt256,
    counterparts      Array(Tuple(asset String, counter_amount UInt256, amount UInt256, last_event_time DateTime('UTC'), last_event_id FixedString(64)))
                      COMMENT 'legs that pass the size test, per counter asset',
    version           UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/pool_trades_per_minute_v1_shard', '{replica}', version)
PARTITION BY toYYYYMMDD(minute)
ORDER BY (jetton, minute, pool)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS pool_trades_per_minute_v1 ON CLUSTER `main` AS pool_trades_per_minute_v1_shard
ENGINE = Distributed('main', 'jettons', 'pool_trades_per_minute_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS pool_trades_per_hour_v1_shard ON CLUSTER `main`
(
    hour              DateTime('UTC') CODEC(Delta, LZ4),
    jetton            String,
    pool              String,
    transactions_buy  UInt64,
    transactions_sell UInt64,
    volume_usd_buy    Decimal(76, 18),
    volume_usd_sell   Decimal(76, 18),
    volume_ton_buy    Decimal(76, 18),
    volume_ton_sell   Decimal(76, 18),
    traders           AggregateFunction(uniqExact, String),
    traders_buy       AggregateFunction(uniqExact, String),
    traders_sell      AggregateFunction(uniqExact, String),
    version           UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/pool_trades_per_hour_v1_shard', '{replica}', version)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, jetton, pool)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS pool_trades_per_hour_v1 ON CLUSTER `main` AS pool_trades_per_hour_v1_shard
ENGINE = Distributed('main', 'jettons', 'pool_trades_per_hour_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS pool_trades_per_day_v1_shard ON CLUSTER `main`
(
    day               DateTime('UTC') CODEC(Delta, LZ4),
    jetton            String,
    pool              String,
    transactions_buy  UInt64,
    transactions_sell UInt64,
    volume_usd_buy    Decimal(76, 18),
    volume_usd_sell   Decimal(76, 18),
    volume_ton_buy    Decimal(76, 18),
    volume_ton_sell   Decimal(76, 18),
    traders           AggregateFunction(uniqExact, String),
    traders_buy       AggregateFunction(uniqExact, String),
    traders_sell      AggregateFunction(uniqExact, String),
    version           UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/pool_trades_per_day_v1_shard', '{replica}', version)
PARTITION BY toYYYYMM(day)
ORDER BY (day, jetton, pool)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS pool_trades_per_day_v1 ON CLUSTER `main` AS pool_trades_per_day_v1_shard
ENGINE = Distributed('main', 'jettons', 'pool_trades_per_day_v1_shard', cityHash64(jetton));

-- 0003_create_snapshots.sql
CREATE TABLE IF NOT EXISTS jetton_statistics_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_statistics_v1_shard', '{replica}', version)
PARTITION BY term
ORDER BY (jetton, step, slot)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_statistics_v1 ON CLUSTER `main` AS jetton_statistics_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_statistics_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS market_statistics_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/market_statistics_v1_shard', '{replica}', version)
PARTITION BY term
ORDER BY (jetton, pool, step, slot)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS market_statistics_v1 ON CLUSTER `main` AS market_statistics_v1_shard
ENGINE = Distributed('main', 'jettons', 'market_statistics_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS snapshot_markers_v1 ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/everywhere/jettons/snapshot_markers_v1', '{shard}-{replica}')
PARTITION BY marked_on
ORDER BY (term, step, version)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS snapshot_terms_v1 ON CLUSTER `main`
(
    term              UInt32,
    clock             String COMMENT 'wall, event or fixed:<instant>; snapshots of another clock are not read',
    leader            String,
    started_at        DateTime('UTC')
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/everywhere/jettons/snapshot_terms_v1', '{shard}-{replica}')
ORDER BY term;

CREATE TABLE IF NOT EXISTS input_status_v1 ON CLUSTER `main`
(
    topic             String,
    status            String COMMENT 'JSON, InputStatus of the contracts',
    as_of             DateTime('UTC') COMMENT 'T, or the epoch where there is none yet',
    version           UInt64 COMMENT 'milliseconds of the writing leader, with its term above bit 48'
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/everywhere/jettons/input_status_v1', '{shard}-{replica}', version)
ORDER BY topic;

-- 0004_slim_pool_rollups.sql
ALTER TABLE pool_trades_per_minute_v1_shard ON CLUSTER `main` DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;

ALTER TABLE pool_trades_per_minute_v1 ON CLUSTER `main` DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;

ALTER TABLE pool_trades_per_hour_v1_shard ON CLUSTER `main` DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;

ALTER TABLE pool_trades_per_hour_v1 ON CLUSTER `main` DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;

ALTER TABLE pool_trades_per_day_v1_shard ON CLUSTER `main` DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;

ALTER TABLE pool_trades_per_day_v1 ON CLUSTER `main` DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;

CREATE TABLE IF NOT EXISTS jetton_first_trades_v1_shard ON CLUSTER `main`
(
    jetton            String,
    first_trade_s     SimpleAggregateFunction(min, UInt32) COMMENT 'event time, Unix seconds',
    written_at        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'the clock of the last writer'
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_first_trades_v1_shard', '{replica}')
ORDER BY jetton
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_first_trades_v1 ON CLUSTER `main` AS jetton_first_trades_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_first_trades_v1_shard', cityHash64(jetton));

INSERT INTO jetton_first_trades_v1 (jetton, first_trade_s, written_at)
SELECT jetton, toUnixTimestamp(min(event_time)), toDateTime64(0, 3, 'UTC')
FROM jetton_legs_v1
WHERE is_trade = 1
GROUP BY jetton;

-- 0005_create_pool_states.sql
CREATE TABLE IF NOT EXISTS pool_state_changes_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/pool_state_changes_v1_shard', '{replica}')
PARTITION BY toYYYYMM(toDateTime(last_updated_s, 'UTC'))
ORDER BY (pool, last_updated_s, record_time, value_hash)
SETTINGS replicated_deduplication_window = 0, index_granularity = 256;

CREATE TABLE IF NOT EXISTS pool_state_changes_v1 ON CLUSTER `main` AS pool_state_changes_v1_shard
ENGINE = Distributed('main', 'jettons', 'pool_state_changes_v1_shard', cityHash64(pool));

CREATE TABLE IF NOT EXISTS pool_states_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/pool_states_v1_shard', '{replica}', version)
ORDER BY pool
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS pool_states_v1 ON CLUSTER `main` AS pool_states_v1_shard
ENGINE = Distributed('main', 'jettons', 'pool_states_v1_shard', cityHash64(pool));

-- 0006_create_balances.sql
CREATE TABLE IF NOT EXISTS jetton_balance_changes_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_balance_changes_v1_shard', '{replica}')
PARTITION BY toYYYYMM(record_time)
ORDER BY (asset, shard, owner, lt, record_time, value_hash)
SETTINGS replicated_deduplication_window = 0, index_granularity = 1024;

CREATE TABLE IF NOT EXISTS jetton_balance_changes_v1 ON CLUSTER `main` AS jetton_balance_changes_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_balance_changes_v1_shard', cityHash64(asset));

CREATE TABLE IF NOT EXISTS jetton_balances_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_balances_v1_shard', '{replica}', version)
ORDER BY (asset, shard, owner)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_balances_v1 ON CLUSTER `main` AS jetton_balances_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_balances_v1_shard', cityHash64(asset));

CREATE TABLE IF NOT EXISTS jetton_holder_buckets_v1_shard ON CLUSTER `main`
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/jetton_holder_buckets_v1_shard', '{replica}', version)
ORDER BY (asset, shard)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_holder_buckets_v1 ON CLUSTER `main` AS jetton_holder_buckets_v1_shard
ENGINE = Distributed('main', 'jettons', 'jetton_holder_buckets_v1_shard', cityHash64(asset));

-- 0007_extend_snapshots.sql
ALTER TABLE jetton_statistics_v1_shard ON CLUSTER `main`
    ADD COLUMN IF NOT EXISTS price_changed_at_ton DateTime('UTC') DEFAULT toDateTime(0, 'UTC')
        COMMENT 'step short: start of the minute of the newest point of price(C) in ton; the epoch where there is none',
    ADD COLUMN IF NOT EXISTS price_changed_at_usd DateTime('UTC') DEFAULT toDateTime(0, 'UTC'),
    ADD COLUMN IF NOT EXISTS usd_by_day Array(Tuple(
        window String,
        half Enum8('current' = 1, 'previous' = 2),
        day Date,
        buy Decimal(76, 18),
        sell Decimal(76, 18))) DEFAULT [];

ALTER TABLE jetton_statistics_v1 ON CLUSTER `main`
    ADD COLUMN IF NOT EXISTS price_changed_at_ton DateTime('UTC') DEFAULT toDateTime(0, 'UTC')
        COMMENT 'step short: start of the minute of the newest point of price(C) in ton; the epoch where there is none',
    ADD COLUMN IF NOT EXISTS price_changed_at_usd DateTime('UTC') DEFAULT toDateTime(0, 'UTC'),
    ADD COLUMN IF NOT EXISTS usd_by_day Array(Tuple(
        window String,
        half Enum8('current' = 1, 'previous' = 2),
        day Date,
        buy Decimal(76, 18),
        sell Decimal(76, 18))) DEFAULT [];

CREATE TABLE IF NOT EXISTS kept_markets_v1_shard ON CLUSTER `main`
(
    jetton            String,
    pool              String
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/kept_markets_v1_shard', '{replica}')
ORDER BY (jetton, pool)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS kept_markets_v1 ON CLUSTER `main` AS kept_markets_v1_shard
ENGINE = Distributed('main', 'jettons', 'kept_markets_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS kept_price_points_v1_shard ON CLUSTER `main`
(
    jetton            String,
    currency          Enum8('ton' = 1, 'usd' = 2),
    points            Array(Tuple(minute DateTime('UTC'), pool String, volume Decimal(76, 18), amount UInt256, version UInt256)),
    rank              UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/kept_price_points_v1_shard', '{replica}', rank)
ORDER BY (jetton, currency)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS kept_price_points_v1 ON CLUSTER `main` AS kept_price_points_v1_shard
ENGINE = Distributed('main', 'jettons', 'kept_price_points_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS kept_counting_minutes_v1_shard ON CLUSTER `main`
(
    jetton            String,
    pool              String,
    asset             String,
    minute            DateTime('UTC'),
    counter_amount    UInt256,
    amount            UInt256,
    last_event_time   DateTime('UTC'),
    last_event_id     FixedString(64),
    rank              UInt256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/jettons/kept_counting_minutes_v1_shard', '{replica}', rank)
ORDER BY (jetton, pool, asset)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS kept_counting_minutes_v1 ON CLUSTER `main` AS kept_counting_minutes_v1_shard
ENGINE = Distributed('main', 'jettons', 'kept_counting_minutes_v1_shard', cityHash64(jetton));

CREATE TABLE IF NOT EXISTS input_status_v2 ON CLUSTER `main`
(
    topic             String,
    status            String COMMENT 'JSON, InputStatus of the contracts',
    as_of             DateTime('UTC') COMMENT 'T, or the epoch where there is none yet',
    version           UInt128 COMMENT 'milliseconds of the writing leader, with its term above bit 48'
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/everywhere/jettons/input_status_v2', '{shard}-{replica}', version)
ORDER BY topic;

DROP TABLE IF EXISTS input_status_v1 ON CLUSTER `main` SYNC;

-- 0008_create_pinned_orders.sql
CREATE TABLE IF NOT EXISTS pinned_orders_v1 ON CLUSTER `main`
(
    id                String COMMENT '32 hex digits, random',
    created_at        DateTime64(3, 'UTC'),
    fingerprint       String COMMENT 'hash of list family, filters, sort and order',
    rows              String COMMENT 'base64; layout: encodeOrder of packages/list-engine'
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/everywhere/jettons/pinned_orders_v1', '{shard}-{replica}')
PARTITION BY toStartOfHour(created_at)
ORDER BY id
SETTINGS index_granularity = 1, replicated_deduplication_window = 0;

-- 0009_create_kept_last_trades.sql
CREATE TABLE IF NOT EXISTS kept_last_trades_v1_shard ON CLUSTER `main`
(
    jetton            String,
    pool              String,
    last_trade_s      SimpleAggregateFunction(max, UInt32) COMMENT 'event time, Unix seconds'
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/jettons/kept_last_trades_v1_shard', '{replica}')
ORDER BY (jetton, pool)
SETTINGS replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS kept_last_trades_v1 ON CLUSTER `main` AS kept_last_trades_v1_shard
ENGINE = Distributed('main', 'jettons', 'kept_last_trades_v1_shard', cityHash64(jetton));

-- 0010_extend_rebuild_epochs.sql
ALTER TABLE rebuild_epochs_v1
    ADD COLUMN IF NOT EXISTS state Enum8('started' = 1, 'finished' = 2) DEFAULT 'started',
    ADD COLUMN IF NOT EXISTS set_by String DEFAULT '';
