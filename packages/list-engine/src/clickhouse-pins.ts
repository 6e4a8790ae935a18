import { type ClickHouseSettings, createWriter, defineInsert, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';
import type { Pin, PinKey, PinStore } from './pin-store.js';

const insertPin = defineInsert<readonly [string, string, string, string]>({
  name: 'insertPin',
  table: 'pinned_orders_v1',
  columns: ['id', 'created_at', 'fingerprint', 'rows'],
});

const loadPin = defineQuery({
  name: 'loadPin',
  // The hour is the partition: no other is looked at.
  sql: `SELECT fingerprint, rows FROM pinned_orders_v1
        WHERE toStartOfHour(created_at) = toStartOfHour({createdAt: DateTime64(3, 'UTC')}) AND id = {id: String}
        LIMIT 1`,
  params: z.object({ id: z.string(), createdAt: z.string() }),
  row: z.object({ fingerprint: z.string(), rows: z.string() }),
});

const deadlineMs = 2_000;
const connectionsMax = 4;

/**
 * Pinned orders in ClickHouse (table pinned_orders_v1): the one thing that query apps write. Statements have a deadline
 * of two seconds, since requests wait for them.
 */
export function createClickHousePins(
  settings: ClickHouseSettings,
  { application }: { application: string },
): PinStore & { close(): Promise<void> } {
  const writer = createWriter(
    { ...settings, CLICKHOUSE_TIMEOUT_MS: deadlineMs },
    { application, lane: 'read', connectionsMax },
  );
  return {
    async save({ id, createdAtMs, fingerprint, rows }: Pin) {
      // Base64: a JSON string cannot carry any bytes.
      const text = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('base64');
      await writer.insert(insertPin, [[id, dateTimeText(createdAtMs), fingerprint, text]]);
    },
    async load({ id, createdAtMs }: PinKey) {
      const [row] = await writer.query(loadPin, { id, createdAt: dateTimeText(createdAtMs) });
      if (row === undefined) return undefined;
      return { id, createdAtMs, fingerprint: row.fingerprint, rows: Buffer.from(row.rows, 'base64') };
    },
    close: () => writer.close(),
  };
}

/** `2026-11-21 12:00:00.123`, as a DateTime64(3) is written. */
function dateTimeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
}
