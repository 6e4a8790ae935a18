-- When each market (pool empty: trades without one) was traded last, among what retention dropped: a maximum that only
-- rises. It outlives the ledger's rows.
CREATE TABLE IF NOT EXISTS kept_last_trades_v1
(
    jetton            String,
    pool              String,
    last_trade_s      SimpleAggregateFunction(max, UInt32) COMMENT 'event time, Unix seconds'
)
ENGINE = AggregatingMergeTree
ORDER BY (jetton, pool)
SETTINGS non_replicated_deduplication_window = 0;
