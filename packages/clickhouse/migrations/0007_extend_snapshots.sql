-- What metrics and change lists need of a snapshot besides the windows' sums.
-- usd_by_day: volume_usd of the step's windows of counts (hour; hour6 and day; week and month), split by the UTC day of
-- the trade; days without volume are left out, and the days of a half add up to its volume_usd.
ALTER TABLE jetton_statistics_v1
    ADD COLUMN IF NOT EXISTS price_changed_at_ton DateTime('UTC') DEFAULT toDateTime(0, 'UTC')
        COMMENT 'step short: start of the minute of the newest point of price(C) in ton; the epoch where there is none',
    ADD COLUMN IF NOT EXISTS price_changed_at_usd DateTime('UTC') DEFAULT toDateTime(0, 'UTC'),
    ADD COLUMN IF NOT EXISTS usd_by_day Array(Tuple(
        window String,
        half Enum8('current' = 1, 'previous' = 2),
        day Date,
        buy Decimal(76, 18),
        sell Decimal(76, 18))) DEFAULT [];

-- What outlives the minute rows that retention drops; a few rows per jetton and market, never dropped themselves.
-- Every pool (empty: none) and jetton that had a trade.
CREATE TABLE IF NOT EXISTS kept_markets_v1
(
    jetton            String,
    pool              String
)
ENGINE = ReplacingMergeTree
ORDER BY (jetton, pool)
SETTINGS non_replicated_deduplication_window = 0;

-- The points of the 60 minutes up to the newest priced minute among what was dropped. Points are whole buckets with the
-- bucket's version, so that a later drop merges them with what it finds. rank: the newest minute above bit 224, then
-- the versions: what has seen more wins.
CREATE TABLE IF NOT EXISTS kept_price_points_v1
(
    jetton            String,
    currency          Enum8('ton' = 1, 'usd' = 2),
    points            Array(Tuple(minute DateTime('UTC'), pool String, volume Decimal(76, 18), amount UInt256, version UInt256)),
    rank              UInt256
)
ENGINE = ReplacingMergeTree(rank)
ORDER BY (jetton, currency)
SETTINGS non_replicated_deduplication_window = 0;

-- The newest counting minute of a market against each asset, among what was dropped.
CREATE TABLE IF NOT EXISTS kept_counting_minutes_v1
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
ENGINE = ReplacingMergeTree(rank)
ORDER BY (jetton, pool, asset)
SETTINGS non_replicated_deduplication_window = 0;

-- The version of input_status_v1 had no room for terms beyond 65,535. Its successor is written anew each second.
CREATE TABLE IF NOT EXISTS input_status_v2
(
    topic             String,
    status            String COMMENT 'JSON, InputStatus of the contracts',
    as_of             DateTime('UTC') COMMENT 'T, or the epoch where there is none yet',
    version           UInt128 COMMENT 'milliseconds of the writing leader, with its term above bit 48'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY topic;
DROP TABLE IF EXISTS input_status_v1;
