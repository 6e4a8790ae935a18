/** Token of the ClickHouse reader. */
export const CLICKHOUSE = Symbol('clickhouse');
