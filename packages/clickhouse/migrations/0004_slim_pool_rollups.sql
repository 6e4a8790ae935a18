-- Traders by side are asked of jettons only; in the rollups of pools nothing reads them.
ALTER TABLE pool_trades_per_minute_v1 DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;
ALTER TABLE pool_trades_per_hour_v1 DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;
ALTER TABLE pool_trades_per_day_v1 DROP COLUMN IF EXISTS traders_buy, DROP COLUMN IF EXISTS traders_sell;

-- When each jetton was first traded: a minimum that only falls, over every trade ever seen that was not a retraction.
-- It outlives the ledger's rows.
CREATE TABLE IF NOT EXISTS jetton_first_trades_v1
(
    jetton            String,
    first_trade_s     SimpleAggregateFunction(min, UInt32) COMMENT 'event time, Unix seconds',
    written_at        SimpleAggregateFunction(max, DateTime64(3, 'UTC')) COMMENT 'the clock of the last writer'
)
ENGINE = AggregatingMergeTree
ORDER BY jetton
SETTINGS non_replicated_deduplication_window = 0;

-- What the ledger held before this table was there.
INSERT INTO jetton_first_trades_v1 (jetton, first_trade_s, written_at)
SELECT jetton, toUnixTimestamp(min(event_time)), toDateTime64(0, 3, 'UTC')
FROM jetton_legs_v1
WHERE is_trade = 1
GROUP BY jetton;
