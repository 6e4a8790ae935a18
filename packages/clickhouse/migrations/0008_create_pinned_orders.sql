-- Pinned orders of list walks, written once each by the query apps and read by other replicas and after a restart.
-- A row may be a megabyte, so every row has a mark of its own. Whole hours (of the writers' clock) are dropped when
-- their cursors have expired.
CREATE TABLE IF NOT EXISTS pinned_orders_v1
(
    id                String COMMENT '32 hex digits, random',
    created_at        DateTime64(3, 'UTC'),
    fingerprint       String COMMENT 'hash of list family, filters, sort and order',
    rows              String COMMENT 'base64; layout: encodeOrder of packages/list-engine'
)
ENGINE = ReplacingMergeTree
PARTITION BY toStartOfHour(created_at)
ORDER BY id
SETTINGS index_granularity = 1, non_replicated_deduplication_window = 0;
