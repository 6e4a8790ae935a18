import { z } from 'zod';

const MEBIBYTE = 1024 * 1024;

const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const bytes = () => z.coerce.number().int().min(MEBIBYTE).max(Number.MAX_SAFE_INTEGER);

export const Env = z.object({
  CLICKHOUSE_LOCAL_HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  CLICKHOUSE_LOCAL_PORT: count(0, 65_535).default(8123).describe('Port to listen on; 0 takes a free one'),
  CLICKHOUSE_LOCAL_DATA_DIR: z.string().min(1).describe('Folder that holds the data; created when absent'),
  CLICKHOUSE_LOCAL_BACKUP_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder that BACKUP and RESTORE may use by File('…'); without it they are refused"),
  CLICKHOUSE_LOCAL_USER: z.string().min(1).default('default').describe('The one user that is let in'),
  CLICKHOUSE_LOCAL_PASSWORD: z.string().default('').describe('Password of that user'),
  CLICKHOUSE_LOCAL_WRITE_SESSIONS: count(1, 16).default(2).describe('Statements that write run at once'),
  CLICKHOUSE_LOCAL_READ_SESSIONS: count(1, 16).default(3).describe('Statements that read run at once'),
  CLICKHOUSE_LOCAL_SNAPSHOT_SESSIONS: count(1, 16).default(2).describe('Statements of the snapshot lane run at once'),
  CLICKHOUSE_LOCAL_BACKGROUND_SESSIONS: count(1, 16)
    .default(2)
    .describe('Statements of the background lane run at once'),
  CLICKHOUSE_LOCAL_QUEUE_MAX: count(1, 10_000).default(128).describe('Statements that may wait in each lane'),
  CLICKHOUSE_LOCAL_QUEUE_MS: count(1, 3_600_000).default(60_000).describe('Time a statement may wait for its lane'),
  CLICKHOUSE_LOCAL_BODY_BYTES_MAX: bytes()
    .default(256 * MEBIBYTE)
    .describe('Size of one request body, after decompression'),
  CLICKHOUSE_LOCAL_BUFFERED_BYTES_MAX: bytes()
    .default(512 * MEBIBYTE)
    .describe('Size of all request bodies held at once'),
  CLICKHOUSE_LOCAL_RESULT_BYTES_MAX: bytes()
    .default(256 * MEBIBYTE)
    .describe('Size of one result'),
  CLICKHOUSE_LOCAL_STATEMENT_SECONDS_MAX: count(1, 86_400)
    .default(60)
    .describe('Time after which a statement is ended'),
  CLICKHOUSE_LOCAL_STATEMENT_MEMORY_BYTES_MAX: bytes()
    .default(2048 * MEBIBYTE)
    .describe('Memory of one statement'),
  CLICKHOUSE_LOCAL_MEMORY_BYTES_MAX: bytes()
    .default(4096 * MEBIBYTE)
    .describe('Memory of all running statements'),
  CLICKHOUSE_LOCAL_FREE_BYTES_MIN: bytes()
    .default(64 * MEBIBYTE)
    .describe('Free space on the disk below which no statement is run; they go on when there is twice as much'),
  CLICKHOUSE_LOCAL_DRAIN_MS: count(0, 600_000).default(10_000).describe('Time given to running statements at shutdown'),
});
export type Env = z.infer<typeof Env>;

/**
 * Reads the settings from an environment.
 * @throws Error with one sentence per setting that is wrong, naming the setting and what is expected.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const parsed = Env.safeParse(source);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
}

/** Threads the engine's calls need so that every session can run at once, with a few left for files and compression. */
export function threadsNeeded(env: Env): number {
  const sessions =
    env.CLICKHOUSE_LOCAL_WRITE_SESSIONS +
    env.CLICKHOUSE_LOCAL_READ_SESSIONS +
    env.CLICKHOUSE_LOCAL_SNAPSHOT_SESSIONS +
    env.CLICKHOUSE_LOCAL_BACKGROUND_SESSIONS;
  return sessions + 5;
}
