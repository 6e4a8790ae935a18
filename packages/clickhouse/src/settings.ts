import { z } from 'zod';

/** Settings of everything that talks to ClickHouse; an app spreads them into its own schema. */
export const clickhouseSettings = {
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:8123')
    .describe('HTTP address of ClickHouse'),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'a plain identifier')
    .default('jetton_analytics')
    .describe('database that holds the tables'),
  CLICKHOUSE_USER: z.string().min(1).default('default').describe('user name'),
  CLICKHOUSE_PASSWORD: z.string().default('').describe('password, empty for none'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'a plain identifier')
    .optional()
    .describe('cluster (remote_servers of the servers) on which tables are replicated and sharded; unset: one server'),
  CLICKHOUSE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(600_000)
    .default(60_000)
    .describe('deadline of one statement, in milliseconds'),
};

const ClickHouseSettings = z.object(clickhouseSettings);
export type ClickHouseSettings = z.infer<typeof ClickHouseSettings>;
