import { readFileSync } from 'node:fs';
import { type ClickHouseReader, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

/** What an engine's memory is made of at one moment, MiB where nothing else is said. */
export interface EngineMemory {
  /** Resident pages of its own, and of files, which are mostly its program. */
  readonly anonymous: number;
  readonly file: number;
  /** What the engine itself accounts for: statements, caches, keys of parts. The rest of `anonymous` is the allocator's. */
  readonly tracked: number;
  readonly caches: number;
  readonly primaryKeys: number;
  /** Number of parts that tables are made of, and that wait for their removal. */
  readonly parts: number;
  readonly formerParts: number;
}

const memoryQuery = defineQuery({
  name: 'engineMemory',
  sql: `SELECT
    toString((SELECT sum(value) FROM system.metrics WHERE metric = 'MemoryTracking')) AS tracked,
    toString((SELECT sum(value) FROM system.metrics WHERE endsWith(metric, 'CacheBytes'))) AS caches,
    toString(sum(primary_key_bytes_in_memory_allocated)) AS primary_keys,
    toInt32(countIf(active)) AS parts,
    toInt32(countIf(NOT active)) AS former_parts
  FROM system.parts`,
  params: z.object({}),
  row: z.object({
    tracked: z.coerce.number(),
    caches: z.coerce.number(),
    primary_keys: z.coerce.number(),
    parts: z.int(),
    former_parts: z.int(),
  }),
});

const mebibyte = 2 ** 20;

/** Resident pages of a process that are no file's, MiB. Linux. */
export const anonymousMib = (pid: number) => statusMib(pid, 'RssAnon');

function statusMib(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) / 1_024;
}

/** Reads it of the process and of the engine that it runs. Linux. */
export async function engineMemory(reader: ClickHouseReader, pid: number): Promise<EngineMemory> {
  const [row] = await reader.query(memoryQuery, {});
  if (row === undefined) throw new Error('the engine tells nothing of its memory');
  return {
    anonymous: anonymousMib(pid),
    file: statusMib(pid, 'RssFile'),
    tracked: row.tracked / mebibyte,
    caches: row.caches / mebibyte,
    primaryKeys: row.primary_keys / mebibyte,
    parts: row.parts,
    formerParts: row.former_parts,
  };
}
