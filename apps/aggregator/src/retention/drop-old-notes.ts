import { type ClickHouseWriter, defineCommand, defineQuery } from '@jetton-analytics/clickhouse';
import { z } from 'zod';

/** Partitioned by the UTC day of the writer's clock; pinned orders by its hour, whose text begins with the day. */
const tables = ['touched_buckets_v1', 'snapshot_markers_v1', 'pinned_orders_v1'] as const;

const storedDays = defineQuery({
  name: 'storedNoteDays',
  sql: `SELECT DISTINCT table, partition FROM system.parts
        WHERE database = currentDatabase() AND active AND table IN {tables: Array(String)}
          AND partition < {before: String}`,
  params: z.object({ tables: z.array(z.string()), before: z.string() }),
  row: z.object({ table: z.enum(tables), partition: z.string() }),
});

const dropDay = (table: (typeof tables)[number]) =>
  defineCommand({
    name: `${table}DropDay`,
    sql: `ALTER TABLE ${table} DROP PARTITION {day: String}`,
    params: z.object({ day: z.string() }),
  });

const dayMs = 86_400_000;

/**
 * Drops the touched buckets, markers and pinned orders of days that nobody can need: `oldestMarkedOn` is the UTC day
 * (`YYYY-MM-DD`) of the oldest among the newest snapshots of the steps. The next snapshot of each step asks only for buckets that were
 * touched since, readers only for the newest markers, and a new term for the greatest T, which those have. One day more
 * stays, for writers whose clock is behind the leader's, and longer than any cursor of a pinned order lives.
 */
export async function dropOldNotes(
  store: ClickHouseWriter,
  oldestMarkedOn: string,
  assertLeading: () => void,
): Promise<void> {
  const before = new Date(Date.parse(oldestMarkedOn) - dayMs).toISOString().slice(0, 10);
  for (const { table, partition } of await store.query(storedDays, { tables: [...tables], before })) {
    assertLeading();
    await store.command(dropDay(table), { day: partition });
  }
}
