-- Rollups. A row is overwritten as a whole by a recomputation from the ledger; its version is the sum of the versions of
-- the rows it was computed from (hours and days: of their minutes), so the newest content wins whoever writes it.
CREATE TABLE IF NOT EXISTS jetton_trades_per_minute_v1
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
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(minute)
ORDER BY (minute, jetton)
SETTINGS non_replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_trades_per_hour_v1
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
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, jetton)
SETTINGS non_replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS jetton_trades_per_day_v1
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
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(day)
ORDER BY (day, jetton)
SETTINGS non_replicated_deduplication_window = 0;

-- Ordered by jetton first: prices walk back through the minutes of one jetton.
CREATE TABLE IF NOT EXISTS pool_trades_per_minute_v1
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
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(minute)
ORDER BY (jetton, minute, pool)
SETTINGS non_replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS pool_trades_per_hour_v1
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
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, jetton, pool)
SETTINGS non_replicated_deduplication_window = 0;

CREATE TABLE IF NOT EXISTS pool_trades_per_day_v1
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
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(day)
ORDER BY (day, jetton, pool)
SETTINGS non_replicated_deduplication_window = 0;
